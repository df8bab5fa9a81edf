import Table from 'cli-table3'
import type { Io } from '../io.ts'
import { toShownLine } from './shown-text.ts'
import { paint, writeLine } from './write.ts'

/** Returns the text of a column for a row. */
export interface Column<Row> {
  title: string
  value: (row: Row) => string | number | null
  align?: 'left' | 'right'
}

const noBorders = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`, `mid-${side}`])
    .map((place) => [place, '']),
)

/** Writes aligned columns to a terminal; to a pipe, values separated by tabs without titles, for `cut` and `awk`. */
export function writeTable<Row>(io: Io, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const cells = rows.map((row) => columns.map(({ value }) => toShownLine(String(value(row) ?? ''))))
  if (io.stdout.isTTY !== true) {
    for (const row of cells) writeLine(io, row.join('\t'))
    return
  }
  const table = new Table({
    head: columns.map(({ title }) => paint(io, 'stdout', 'dim', title)),
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    colAligns: columns.map(({ align = 'left' }) => align),
  })
  for (const row of cells) table.push(row)
  for (const line of table.toString().split('\n')) writeLine(io, line.trimEnd())
}
