import { setTimeout } from 'node:timers/promises'
import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import { describeError } from '../describe-error.ts'
import type { Io } from '../io.ts'
import { toShownLine } from '../output/shown-text.ts'
import { writeFields, writeLine, writeNote } from '../output/write.ts'

export type Verdict = Awaited<ReturnType<Client['tests']['getVerdict']>>

/** The exit codes of a verdict, which distinguish failed tests from a server that cannot be reached. */
export const verdictCodes = { pass: 0, fail: 1, server: 3, noTests: 4, infrastructure: 5, pending: 8 } as const

/** Pauses in milliseconds between two requests for the verdict of a run that is not complete. */
const firstPauseMs = 1000
const longestPauseMs = 15_000

/** Reads the verdict again and again until the run is complete or the time is over. */
export async function awaitVerdict(io: Io, read: () => Promise<Verdict>, waitMs: number): Promise<Verdict> {
  const end = Date.now() + waitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const verdict = await read()
    const leftMs = end - Date.now()
    if (verdict.result !== 'pending' || leftMs <= 0) return verdict
    writeNote(io, 'The run is not complete yet')
    await setTimeout(Math.min(pauseMs, leftMs), undefined, { signal: io.signal })
  }
}

export function writeVerdict(io: Io, { result, reasons, counts }: Verdict): void {
  const { passed, skipped, known, flaky, quarantined, infrastructure } = counts
  writeFields(io, [
    ['Verdict', result],
    ['New', counts.new || null],
    ['Known', known || null],
    ['Flaky', flaky || null],
    ['Quarantined', quarantined || null],
    ['Infrastructure', infrastructure || null],
    ['Passed', passed],
    ['Skipped', skipped || null],
  ])
  for (const { detail } of reasons) writeLine(io, toShownLine(detail))
}

/** Throws an error with the exit code of the verdict, unless the verdict is `pass`. */
export function checkVerdict({ result, reasons }: Verdict): void {
  if (result === 'pass') return
  const isOfMachine = reasons.length > 0 && reasons.every(({ code }) => code === 'infrastructure')
  if (result === 'noTests') throw new CliError('failed', 'There are no tests', { code: verdictCodes.noTests })
  if (result === 'pending') throw new CliError('incomplete', 'The run is not complete', { code: verdictCodes.pending })
  if (isOfMachine) {
    const fix = 'Run the job again.'
    throw new CliError('failed', 'Only the infrastructure failed', { code: verdictCodes.infrastructure, fix })
  }
  throw new CliError('failed', 'Tests failed', { code: verdictCodes.fail })
}

/** Gives errors of the request the exit code for a failed server, so that they are not taken for failed tests. */
export async function withVerdictCodes<Result>(io: Io, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (cause) {
    const { exit, message } = describeError(cause, io.signal)
    if (exit === 'usage' || exit === 'interrupted') throw cause
    throw new CliError(exit, message, { cause, code: verdictCodes.server })
  }
}

/** `90s`, `10m`, `1h` → milliseconds. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^([0-9]{1,6})(s|m|h)$/.exec(text) ?? []
  if (amount === undefined) throw new SyntaxError(`${JSON.stringify(text)} is not a time such as 90s, 10m or 1h`)
  return Number(amount) * (unit === 'h' ? 3_600_000 : unit === 'm' ? 60_000 : 1000)
}
