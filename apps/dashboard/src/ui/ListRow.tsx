import type { ReactNode } from 'react'
import classes from './list.module.css'

/** A list of rows. */
export function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={`${classes['list']} flush-list`} aria-label={label}>
      {children}
    </ul>
  )
}

interface ListRowProps {
  icon?: ReactNode
  title: ReactNode
  sub?: ReactNode
  /** Shown at the right, and on a phone below the rest. */
  side?: ReactNode
  actions?: ReactNode
}

export function ListRow({ icon, title, sub, side, actions }: ListRowProps) {
  return (
    <li className={classes['row']}>
      {icon !== undefined && <div className={classes['lead']}>{icon}</div>}
      <div className={classes['rest']}>
        <div className={classes['main']}>
          <div className={classes['title']}>{title}</div>
          {sub !== undefined && <div className={classes['sub']}>{sub}</div>}
        </div>
        {side !== undefined && <div className={`${classes['side']} ${classes['wide']}`}>{side}</div>}
        {actions !== undefined && actions !== false && <div className={classes['actions']}>{actions}</div>}
      </div>
    </li>
  )
}

/** The CSS class for a link in a title that makes the whole row clickable. */
export const rowLink = classes['cover'] ?? ''
