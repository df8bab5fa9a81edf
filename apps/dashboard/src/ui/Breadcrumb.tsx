import type { ReactNode } from 'react'
import classes from './breadcrumb.module.css'

/** Links to the parent pages, above the title. */
export function Breadcrumb({ children }: { children: ReactNode }) {
  return (
    <nav className={classes['root']} aria-label="Breadcrumb">
      {children}
    </nav>
  )
}
