import { inspect } from 'node:util'
import type { DescribedError } from '../describe-error.ts'
import type { Io } from '../io.ts'
import { toShownLine, toShownText } from './shown-text.ts'
import { paint } from './write.ts'

interface ErrorFormat {
  asJson: boolean
  /** The error itself, for its stack. */
  stack: unknown
}

/** Formats an error for people (what is wrong, why, and what to do about it) or as JSON. */
export function formatError(io: Io, error: DescribedError, { asJson, stack }: ErrorFormat): string {
  const trace = stack === undefined ? '' : `${toShownText(inspect(stack))}\n`
  if (asJson) {
    const { exit: _name, ...words } = error
    return `${JSON.stringify({ error: words }, null, 2)}\n${trace}`
  }
  const lines = [
    `${paint(io, 'stderr', 'red', 'error:')} ${toShownLine(error.message)}`,
    ...error.details.filter((detail) => detail !== error.message).map((detail) => `  ${toShownLine(detail)}`),
    ...(error.fix === undefined ? [] : [toShownLine(error.fix)]),
    ...(error.errorId === null || error.exit !== 'noAnswer' ? [] : [`The server's log has it as ${error.errorId}.`]),
  ]
  return `${lines.join('\n')}\n${trace}`
}
