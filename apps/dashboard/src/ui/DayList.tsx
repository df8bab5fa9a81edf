import { Title } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { toDayHeading } from './day-heading.ts'
import classes from './day-list.module.css'
import { formatMoment } from './format.ts'
import { List } from './ListRow.tsx'

interface DayListProps<Item> {
  label: string
  /** In the order of their dates. */
  items: readonly Item[]
  dateOf: (item: Item) => string
  /** One below that of the heading above the list. */
  headingOrder: 2 | 3
  /** Renders a row, which shows a `TimeOfDay`. */
  children: (item: Item) => ReactNode
}

/** A list of what happened, with a heading for each day, so that a row needs no more than its time. */
export function DayList<Item>({ label, items, dateOf, headingOrder, children }: DayListProps<Item>) {
  const days = Map.groupBy(items, (item) => toDayHeading(dateOf(item)))
  return (
    <div className={classes['days']}>
      {[...days].map(([day, ofDay]) => (
        <Fragment key={day}>
          <Title order={headingOrder} className={classes['day']}>
            {day}
          </Title>
          <List label={`${label}: ${day}`}>{ofDay.map(children)}</List>
        </Fragment>
      ))}
    </div>
  )
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The time of a row below the heading of its day; the whole date with its zone shows on hover. */
export function TimeOfDay({ date }: { date: string }) {
  return (
    <time dateTime={date} title={formatMoment(date)} className={classes['time']}>
      {clock.format(new Date(date))}
    </time>
  )
}
