import type { ReactNode } from 'react'
import classes from './charts.module.css'

export interface ChartTableData {
  columns: readonly string[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** The numbers of a chart as a table, which opens below it. */
export function ChartTable({ table: { columns, rows } }: { table: ChartTableData }) {
  return (
    <details className={classes['details']}>
      <summary>As a table</summary>
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label="Table of the chart">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells: [first, ...others] }) => (
              <tr key={key}>
                <th scope="row">{first}</th>
                {others.map((cell, place) => (
                  <td key={columns[place + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
