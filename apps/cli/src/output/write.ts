import { styleText } from 'node:util'
import type { Io } from '../io.ts'
import { toShownLine } from './shown-text.ts'

type Style = Parameters<typeof styleText>[0]

/** Colours text for a terminal. `NO_COLOR` and `FORCE_COLOR` override that. */
export function paint(io: Io, stream: 'stdout' | 'stderr', style: Style, text: string): string {
  const { NO_COLOR, FORCE_COLOR } = io.env
  const isForced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0'
  const isWanted = isForced || (io[stream].isTTY === true && (NO_COLOR ?? '') === '')
  return isWanted ? styleText(style, text, { validateStream: false }) : text
}

/** Writes a line of the result. */
export function writeLine(io: Io, line = ''): void {
  io.stdout.write(`${line}\n`)
}

/** Writes a line of progress or a warning for people, which scripts do not read. */
export function writeNote(io: Io, line: string): void {
  io.stderr.write(`${line}\n`)
}

export function writeWarning(io: Io, text: string): void {
  writeNote(io, `${paint(io, 'stderr', 'yellow', 'warning:')} ${toShownLine(text)}`)
}

/** Writes the result of a command: as JSON if a script asks for it, or else for people by `write`. */
export function writeResult<Result>(io: Io, asJson: boolean, result: Result, write: (result: Result) => void): void {
  if (asJson) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  else write(result)
}

/** Writes names and values, one pair a line, without those that are null. */
export function writeFields(io: Io, fields: readonly (readonly [name: string, value: string | number | null])[]): void {
  const shown = fields.filter(([, value]) => value !== null && value !== '')
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  for (const [name, value] of shown) {
    writeLine(io, `${paint(io, 'stdout', 'dim', name.padEnd(width))}  ${toShownLine(String(value))}`)
  }
}
