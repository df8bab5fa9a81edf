import type { FailureClass, Verdict } from '@fairlead/contract'
import { countLostShards, type TestRunRow } from '../test-results/run.ts'

type Reason = Verdict['reasons'][number]

const words: Record<Reason['code'], (count: number) => string> = {
  new: (count) => `${count} ${count === 1 ? 'test fails' : 'tests fail'} that did not fail at the base`,
  infrastructure: (count) => `${count} ${count === 1 ? 'failure' : 'failures'} of the device or machine`,
  known: (count) => `${count} ${count === 1 ? 'test fails' : 'tests fail'} as at the base`,
  vanished: (count) => `${count} ${count === 1 ? 'test' : 'tests'} of the base did not run`,
  noTests: () => 'No test ran',
  open: () => 'The run is not complete yet',
}

function toReason(code: Reason['code'], count: number): Reason {
  return { code, count, detail: words[code](count) }
}

/**
 * Decides a complete run: new failures, lost devices, a process that crashed before any test, and shards that did not
 * come fail it. Crashes are added at every request for the verdict, because symbols may be uploaded later.
 */
export function toRunVerdict(
  run: Pick<TestRunRow, 'cases' | 'passed' | 'skipped' | 'has_crashed' | 'shards_expected' | 'shards_received'>,
  classes: ReadonlyMap<FailureClass, number>,
  base: Verdict['base'],
): Verdict {
  const counts = {
    new: classes.get('new') ?? 0,
    known: classes.get('known') ?? 0,
    flaky: classes.get('flaky') ?? 0,
    quarantined: classes.get('quarantined') ?? 0,
    infrastructure: classes.get('infrastructure') ?? 0,
    passed: run.passed,
    skipped: run.skipped,
  }
  const reasons: Reason[] = []
  if (counts.new > 0) reasons.push(toReason('new', counts.new))
  if (counts.infrastructure > 0) reasons.push(toReason('infrastructure', counts.infrastructure))
  else if (run.has_crashed === 1) {
    reasons.push({ code: 'infrastructure', count: 1, detail: 'The process crashed before its tests ran' })
  }
  const lost = countLostShards(run)
  // Nobody knows the results of their tests, as after the loss of a machine.
  if (lost > 0) {
    const detail = `${lost} of ${run.shards_expected} shards did not come`
    reasons.push({ code: 'infrastructure', count: lost, detail })
  }
  if (reasons.length > 0) return { result: 'fail', reasons, counts, crashes: [], base }
  if (run.cases === 0) return { result: 'noTests', reasons: [toReason('noTests', 0)], counts, crashes: [], base }
  return { result: 'pass', reasons, counts, crashes: [], base }
}

export function toPendingVerdict(run: Pick<TestRunRow, 'passed' | 'skipped'>): Verdict {
  const counts = { ...noCounts, passed: run.passed, skipped: run.skipped }
  return { result: 'pending', reasons: [toReason('open', 1)], counts, crashes: [], base: null }
}

const noCounts: Verdict['counts'] = {
  new: 0,
  known: 0,
  flaky: 0,
  quarantined: 0,
  infrastructure: 0,
  passed: 0,
  skipped: 0,
}

/** The share of the base's tests that may be missing from a build before it fails. */
const vanishedShare = 0.02

/** Joins the verdicts of a build's runs. Failures that the build before had fail it as well. */
export function toBuildVerdict(
  verdicts: Verdict[],
  vanished: { count: number; total: number },
  base: Verdict['base'],
): Verdict {
  const counts = { ...noCounts }
  for (const verdict of verdicts) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `counts` is made above, with these fields only
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += verdict.counts[name]
  }
  if (verdicts.some(({ result }) => result === 'pending')) {
    const open = verdicts.filter(({ result }) => result === 'pending').length
    return { result: 'pending', reasons: [toReason('open', open)], counts, crashes: [], base }
  }
  const reasons: Reason[] = []
  if (counts.new > 0) reasons.push(toReason('new', counts.new))
  const lost = verdicts.flatMap(({ reasons: some }) => some.filter(({ code }) => code === 'infrastructure'))
  if (counts.infrastructure > 0) reasons.push(toReason('infrastructure', counts.infrastructure))
  else reasons.push(...lost.slice(0, 1))
  if (counts.known > 0) reasons.push(toReason('known', counts.known))
  const isEmpty = verdicts.every(({ result }) => result === 'noTests')
  if (!isEmpty && vanished.count > 0 && vanished.count >= vanishedShare * vanished.total) {
    reasons.push(toReason('vanished', vanished.count))
  }
  if (reasons.length > 0) return { result: 'fail', reasons, counts, crashes: [], base }
  if (isEmpty) return { result: 'noTests', reasons: [toReason('noTests', 0)], counts, crashes: [], base }
  return { result: 'pass', reasons, counts, crashes: [], base }
}
