import { styleText } from 'node:util'
import type { Io } from '../io.ts'
import { toShownLine } from './shown-text.ts'

type Style = Parameters<typeof styleText>[0]

/** Colours where the stream is a terminal and nobody asked to leave them out (`NO_COLOR`, `FORCE_COLOR`). */
export function paint(io: Io, stream: 'stdout' | 'stderr', style: Style, text: string): string {
  const { NO_COLOR, FORCE_COLOR } = io.env
  const isForced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0'
  const isWanted = isForced || (io[stream].isTTY === true && (NO_COLOR ?? '') === '')
  return isWanted ? styleText(style, text, { validateStream: false }) : text
}

/** A line of the result. */
export function writeLine(io: Io, line = ''): void {
  io.stdout.write(`${line}\n`)
}

/** A line for people that no script should read: what happens, and what is odd. */
export function writeNote(io: Io, line: string): void {
  io.stderr.write(`${line}\n`)
}

export function writeWarning(io: Io, text: string): void {
  writeNote(io, `${paint(io, 'stderr', 'yellow', 'warning:')} ${toShownLine(text)}`)
}

/** The result of a command: JSON for scripts when they ask for it, else as `write` shows it to people. */
export function writeResult<Result>(io: Io, asJson: boolean, result: Result, write: (result: Result) => void): void {
  if (asJson) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  else write(result)
}

/** Names and values, one pair a line; what is null is left out. */
export function writeFields(io: Io, fields: readonly (readonly [name: string, value: string | number | null])[]): void {
  const shown = fields.filter(([, value]) => value !== null && value !== '')
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  for (const [name, value] of shown) {
    writeLine(io, `${paint(io, 'stdout', 'dim', name.padEnd(width))}  ${toShownLine(String(value))}`)
  }
}
