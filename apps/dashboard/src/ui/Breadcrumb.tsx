import type { ReactNode } from 'react'
import classes from './breadcrumb.module.css'

/** The way back up, over a page's title. */
export function Breadcrumb({ children }: { children: ReactNode }) {
  return (
    <nav className={classes['root']} aria-label="Breadcrumb">
      {children}
    </nav>
  )
}
