import { invariant } from '@fairlead/invariant'
import { parseJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { findLastVerdict, listSeenGroups, sumMinutes, sumRuns } from './counts-store.ts'
import type { RuleRow } from './store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The value that a rule measures now. */
export interface Measure {
  /** A count, or per cent of a rate; null when there is too little to judge by. */
  value: number | null
  isOver: boolean
  title: string
  detail: string | null
  subjectId: number | null
}

interface Looked {
  db: Db
  rule: RuleRow
  defaultBranch: string
  now: number
}

/** Measures what a rule is about. Returns undefined when that says nothing and the rule stays as it is. */
export async function measure(looked: Looked): Promise<Measure | undefined> {
  const { kind } = looked.rule
  if (kind === 'crashCount' || kind === 'installCount') return measureCount(looked, kind)
  if (kind === 'crashFreeRate') return measureCrashFree(looked)
  if (kind === 'flakyRate') return measureFlaky(looked)
  return kind === 'testVerdict' ? measureVerdict(looked) : undefined
}

async function measureCount({ db, rule, now }: Looked, kind: 'crashCount' | 'installCount'): Promise<Measure> {
  const { threshold, windowMinutes } = readLine(rule)
  const sums = await sumMinutes(db, rule.application_id, windowMinutes, now)
  const value = kind === 'crashCount' ? sums.crashes : sums.installs
  const isOver = value >= threshold && value > 0
  const title = `${value} ${kind === 'crashCount' ? 'crashes' : 'installs'} in ${toSpan(windowMinutes)}`
  const detail =
    isOver && kind === 'crashCount' ? await describeCrashes(db, rule, now - windowMinutes * minuteMs) : null
  return { value, isOver, title, detail, subjectId: null }
}

const describedGroups = 3
const seenGroups = 200

/** Names the groups with the most crashes, by the counts of whole hours. */
async function describeCrashes(db: Db, { application_id: id }: RuleRow, since: number): Promise<string | null> {
  const groups = await listSeenGroups(db, id, since, seenGroups)
  const first = Math.floor(since / hourMs)
  const counted = groups.map(({ title, hours }) => {
    const ofWindow = Object.entries(hours === null ? {} : parseJsonText(hours)).filter(
      ([hour]) => Number(hour) >= first,
    )
    return { title, count: ofWindow.reduce((sum, [, count]) => sum + count, 0) }
  })
  const most = counted.toSorted((one, other) => other.count - one.count).slice(0, describedGroups)
  return most.length === 0 ? null : most.map(({ title, count }) => `${title} (${count})`).join(', ')
}

async function measureCrashFree({ db, rule, now }: Looked): Promise<Measure> {
  const { threshold, windowMinutes } = readLine(rule)
  const { started_sessions: started, crashed_sessions: crashed } = await sumMinutes(
    db,
    rule.application_id,
    windowMinutes,
    now,
  )
  const isJudged = started > 0 && started >= (rule.minimum ?? 1)
  const value = isJudged ? Math.max(0, 100 * (1 - crashed / started)) : null
  return {
    value: value === null ? null : round(value),
    isOver: value !== null && value < threshold,
    title: `${value === null ? 'Unknown' : round(value)} % of sessions without a crash in ${toSpan(windowMinutes)}`,
    detail: `${crashed} of ${started} sessions crashed`,
    subjectId: null,
  }
}

async function measureFlaky({ db, rule, now }: Looked): Promise<Measure> {
  const { threshold, windowMinutes } = readLine(rule)
  const since = now - windowMinutes * minuteMs
  const { ran, flaky } = await sumRuns(db, { applicationId: rule.application_id, branch: rule.branch, since })
  const isJudged = ran > 0 && ran >= (rule.minimum ?? 1)
  const value = isJudged ? (100 * flaky) / ran : null
  return {
    value: value === null ? null : round(value),
    isOver: value !== null && value > threshold,
    title: `${value === null ? 'Unknown' : round(value)} % of test cases were flaky in ${toSpan(windowMinutes)}`,
    detail: `${flaky} of ${ran} cases${rule.branch === null ? '' : ` on ${rule.branch}`}`,
    subjectId: null,
  }
}

async function measureVerdict({ db, rule, defaultBranch }: Looked): Promise<Measure | undefined> {
  const branch = rule.branch ?? defaultBranch
  const run = await findLastVerdict(db, rule.application_id, branch)
  const verdict = run?.verdict === null || run === undefined ? undefined : parseJsonText(run.verdict)
  // A run without tests, or one that is not complete, says nothing of the branch.
  if (!run || (verdict?.result !== 'pass' && verdict?.result !== 'fail')) return undefined
  const { new: fresh } = verdict.counts
  return {
    value: run.failed,
    isOver: verdict.result === 'fail',
    title: `Tests fail on ${branch}`,
    detail: verdict.reasons[0]?.detail ?? `${fresh} fail that passed before`,
    subjectId: run.id,
  }
}

/** Rules of measured kinds have both; see check-rule.ts. */
function readLine({ threshold, window_minutes: windowMinutes }: RuleRow) {
  invariant(threshold !== null && windowMinutes !== null, 'a rule of a measured kind has a threshold and a window')
  return { threshold, windowMinutes }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function toSpan(minutes: number): string {
  if (minutes % 1440 === 0) return minutes === 1440 ? 'a day' : `${minutes / 1440} days`
  if (minutes % 60 === 0) return minutes === 60 ? 'an hour' : `${minutes / 60} hours`
  return `${minutes} minutes`
}
