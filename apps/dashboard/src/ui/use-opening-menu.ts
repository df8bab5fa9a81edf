import { useDisclosure } from '@mantine/hooks'
import { type RefObject, useEffect, useRef } from 'react'

/**
 * The menu is rendered without a portal, so that it stays inside the landmark of the navigation, and without Mantine's
 * placeholder, which is no element that ARIA allows inside a menu.
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
