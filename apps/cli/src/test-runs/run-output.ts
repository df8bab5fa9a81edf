import type { Client } from '@fairlead/client'
import type { Io } from '../io.ts'
import { formatInstant } from '../output/units.ts'
import { writeTable } from '../output/table.ts'
import { writeFields } from '../output/write.ts'

export type TestRun = Awaited<ReturnType<Client['tests']['getRun']>>
export type TestResult = Awaited<ReturnType<Client['tests']['listResults']>>['items'][number]

export function writeRuns(io: Io, runs: readonly TestRun[]): void {
  writeTable(io, runs, [
    { title: 'ID', value: ({ id }) => id, align: 'right' },
    { title: 'STATE', value: toState },
    { title: 'PASSED', value: ({ counts }) => toParts(counts).passed, align: 'right' },
    { title: 'FLAKY', value: ({ counts }) => counts.flaky, align: 'right' },
    { title: 'FAILED', value: ({ counts }) => counts.failed, align: 'right' },
    { title: 'SKIPPED', value: ({ counts }) => counts.skipped, align: 'right' },
    { title: 'BRANCH', value: ({ branch }) => branch },
    { title: 'COMMIT', value: ({ commit }) => commit?.slice(0, 12) ?? null },
    { title: 'BEGAN', value: ({ createdDate }) => formatInstant(createdDate) },
    { title: 'KEY', value: ({ key }) => key },
  ])
}

/** Splits counts into parts that add up: the API counts a flaky case, which passed in the end, as passed too. */
function toParts({ passed, ...counts }: TestRun['counts']): TestRun['counts'] {
  return { ...counts, passed: passed - counts.flaky }
}

export function writeRun(io: Io, run: TestRun): void {
  const { passed, flaky, failed, skipped } = toParts(run.counts)
  writeFields(io, [
    ['Run', `${run.id}, ${toState(run)}`],
    ['Key', run.key],
    ['Tests', `${passed} passed, ${flaky} flaky, ${failed} failed, ${skipped} skipped`],
    ['Shards', run.shards.expected === null ? null : `${run.shards.received.join(', ')} of ${run.shards.expected}`],
    ['Branch', run.branch],
    ['Commit', run.commit],
    ['Build', run.buildId],
    ['CI job', run.ciUrl],
  ])
}

export function writeResults(io: Io, results: readonly TestResult[]): void {
  // Few runs name environments, and the last column leaves the numbers of the others as they are for `cut`.
  const hasEnvironments = results.some(({ environment }) => environment !== null)
  writeTable(io, results, [
    { title: 'CLASSIFICATION', value: ({ classification, outcome }) => classification ?? outcome },
    { title: 'TEST', value: toTestName },
    { title: 'MESSAGE', value: ({ attempts }) => toHead(attempts.at(-1)?.message ?? null) },
    ...(hasEnvironments ? [{ title: 'ENVIRONMENT', value: ({ environment }: TestResult) => environment }] : []),
  ])
}

/** The most characters of a message in a table; many tools put the whole stack trace into it. */
const maxMessage = 200

/** A first line that only says where a test failed, as GoogleTest writes it, or that announces the lines below it. */
const announcing = /^(?:unknown file|\S.{0,500}\.\w{1,4}(?::\d+|\(\d+\)))$|:$/

/** The first line of a message, with those below it if it says nothing by itself. */
function toHead(message: string | null): string | null {
  if (message === null) return null
  const text = message.trim()
  const [first = ''] = text.split('\n', 1)
  const head = announcing.test(first.trim()) ? text.replaceAll(/\s+/g, ' ') : first
  return head.length <= maxMessage ? head || null : `${head.slice(0, maxMessage)}…`
}

/** The name of a test: its class or else its suite, its name, and its parameters. */
export function toTestName({
  suite,
  class: className,
  name,
  parameters,
}: Pick<TestResult, 'suite' | 'class' | 'name' | 'parameters'>): string {
  return `${className ?? suite ?? ''}${(className ?? suite) === null ? '' : '.'}${name}${parameters ?? ''}`
}

/** The name of a test with its environment, where equal tests of several environments stand in one list. */
export function toResultName(result: TestResult): string {
  const { environment } = result
  return environment === null ? toTestName(result) : `${toTestName(result)} (${environment})`
}

function toState({ state, isIncomplete }: TestRun): string {
  return isIncomplete ? `${state}, parts are missing` : state
}
