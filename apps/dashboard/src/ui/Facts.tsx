import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** A list of names and values. Entries without a value are left out. */
export function Facts({ facts }: { facts: (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes['root']}>
      {facts.flatMap(([name, value]) =>
        value === null || value === undefined || value === ''
          ? []
          : [
              <div key={name} className={classes['row']}>
                <dt>{name}</dt>
                <dd className="break">{value}</dd>
              </div>,
            ],
      )}
    </dl>
  )
}
