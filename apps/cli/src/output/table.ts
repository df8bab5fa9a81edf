import Table from 'cli-table3'
import type { Io } from '../io.ts'
import { toShownLine } from './shown-text.ts'
import { paint, writeFields, writeLine } from './write.ts'

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

/** The spaces between two columns. */
const gap = 2

/**
 * Writes aligned columns to a terminal, or a block of lines for each row if it is too narrow for them; to a pipe,
 * values separated by tabs without titles, for `cut` and `awk`.
 */
export function writeTable<Row>(io: Io, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const cells = rows.map((row) => columns.map(({ value }) => toShownLine(String(value(row) ?? ''))))
  if (io.stdout.isTTY !== true) {
    for (const row of cells) writeLine(io, row.join('\t'))
    return
  }
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const width = widths.reduce((sum, one) => sum + one + gap, -gap)
  if (width > (io.stdout.columns ?? Infinity)) return writeBlocks(io, cells, columns)
  const table = new Table({
    head: columns.map(({ title }) => paint(io, 'stdout', 'dim', title)),
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
    colAligns: columns.map(({ align = 'left' }) => align),
  })
  for (const row of cells) table.push(row)
  for (const line of table.toString().split('\n')) writeLine(io, line.trimEnd())
}

/** Writes a row as lines of titles and values, without those that are empty, with an empty line between rows. */
function writeBlocks(io: Io, cells: readonly string[][], columns: readonly { title: string }[]): void {
  for (const [at, row] of cells.entries()) {
    if (at > 0) writeLine(io)
    writeFields(
      io,
      columns.map(({ title }, column) => [title, row[column] ?? ''] as const),
    )
  }
}
