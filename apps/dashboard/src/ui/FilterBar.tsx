import type { ReactNode } from 'react'
import classes from './filter-bar.module.css'

/** The flex of the search of a filter bar: it takes the place that the others leave, or a row of its own. */
export const searchWidth = '4 1 var(--search-width)'

/** The search, the filters and the order of a list, with the search first. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <div className={classes['bar']}>
      <div className={classes['row']}>{children}</div>
    </div>
  )
}
