import { type ReactNode, useId, useState } from 'react'
import classes from './charts.module.css'
import { ChartTable, type ChartTableData } from './ChartTable.tsx'
import type { SeriesColor } from './series-color.ts'
import { useArrowKeys } from './use-arrow-keys.ts'
import { useWidth } from './use-width.ts'

/** A series, or a kind of mark, with its colour. */
export interface Series {
  id: string
  label: string
  color: SeriesColor
}

interface ChartFigureProps {
  /** Says what the chart shows. */
  label: string
  height: number
  series: readonly Series[]
  /** A table of the numbers that the chart draws, for screen readers and everyone who prefers to read. */
  table: ChartTableData
  /** Draws the chart; `onShow` takes the text of the mark under the pointer or the focus. */
  children: (drawing: { width: number; onShow: (text: string | null) => void }) => ReactNode
}

/**
 * The frame of a chart: the drawing, whose marks are links that the arrow keys go through, a line that says in words
 * what the chosen mark stands for, the legend, and a table of the same numbers.
 */
export function ChartFigure({ label, height, series, table, children }: ChartFigureProps) {
  const [ref, width] = useWidth()
  const [shown, setShown] = useState<string | null>(null)
  const keys = useArrowKeys()
  const id = useId()
  return (
    <figure className={classes['figure']} ref={ref} aria-labelledby={id}>
      <span id={id} className="visually-hidden">
        {label}
      </span>
      <svg
        width={width}
        height={height}
        className={classes['chart']}
        role="group"
        aria-label={`${label}. The arrow keys go from mark to mark.`}
        {...keys}
      >
        {width > 0 && children({ width, onShow: setShown })}
      </svg>
      <figcaption className={classes['caption']}>
        {series.length > 1 && (
          <span className={classes['legend']} aria-hidden={shown !== null}>
            {series.map((one) => (
              <span key={one.id} data-color={one.color}>
                {one.label}
              </span>
            ))}
          </span>
        )}
        <span className={classes['shown']}>{shown}</span>
      </figcaption>
      <ChartTable table={table} />
    </figure>
  )
}
