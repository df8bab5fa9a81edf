import { type ReactElement, type ReactNode, Suspense, useState } from 'react'

interface LazyMenuProps {
  /** Renders the button of the closed menu with props that load and open the menu. */
  button: (opening: {
    'aria-haspopup': 'menu'
    'aria-expanded': boolean
    onClick: () => void
    onPointerEnter: () => void
  }) => ReactElement
  load: () => Promise<unknown>
  /** The menu, which opens when it is rendered. */
  children: ReactNode
}

/** Shows a menu whose script is loaded when the user is about to open it. */
export function LazyMenu({ button, load, children }: LazyMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const closed = button({
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    // A failure shows when the menu is rendered.
    onPointerEnter: () => void load().catch(() => {}),
  })
  return isWanted ? <Suspense fallback={closed}>{children}</Suspense> : closed
}
