import { useDisclosure } from '@mantine/hooks'
import { type RefObject, useEffect, useRef } from 'react'

/**
 * Without a portal the menu stays inside the landmark of the navigation. Without the placeholder all of its children
 * are ones that a menu may have.
 */
const menuDefaults = { returnFocus: true, withinPortal: false, withInitialFocusPlaceholder: false } as const

interface OpeningMenu {
  button: RefObject<HTMLButtonElement | null>
  /** Props for the menu. */
  menu: { opened: boolean; onChange: (isOpened: boolean) => void } & typeof menuDefaults
}

/**
 * Opens a menu as soon as it is rendered, in place of the button that was clicked to load it. The focus goes to the new
 * button first, because that is where the menu returns it when it closes.
 */
export function useOpeningMenu(): OpeningMenu {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, { open, set }] = useDisclosure()
  useEffect(() => {
    button.current?.focus()
    open()
  }, [open])
  return { button, menu: { opened, onChange: set, ...menuDefaults } }
}
