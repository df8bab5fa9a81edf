import { type ReactElement, type ReactNode, Suspense, useState } from 'react'

interface LazyMenuProps {
  /** The closed menu's button, given what makes it load and open the menu. */
  button: (opening: {
    'aria-haspopup': 'menu'
    'aria-expanded': boolean
    onClick: () => void
    onPointerEnter: () => void
  }) => ReactElement
  load: () => Promise<unknown>
  /** The menu itself, open at first. */
  children: ReactNode
}

/** A menu whose script is loaded once somebody is about to open it. */
export function LazyMenu({ button, load, children }: LazyMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const closed = button({
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    onPointerEnter: () => void load(),
  })
  return isWanted ? <Suspense fallback={closed}>{children}</Suspense> : closed
}
