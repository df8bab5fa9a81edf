import type { AlertKind, AlertRule } from '@fairlead/contract'
import { roleNames } from '../ui/role-names.ts'

export const kindNames: Record<AlertKind, string> = {
  newCrashGroup: 'A new crash group',
  crashRegression: 'A crash group that is back',
  crashCount: 'Many crashes in a time',
  installCount: 'Many installs in a time',
  crashFreeRate: 'Too few sessions without a crash',
  testVerdict: 'Tests that fail on a branch',
  flakyRate: 'Too many flaky tests',
  feedback: 'Feedback of testers',
}

const counts = new Set<AlertKind>(['crashCount', 'installCount'])
const rates = new Set<AlertKind>(['crashFreeRate', 'flakyRate'])

export const isRate = (kind: AlertKind): boolean => rates.has(kind)
export const isMeasured = (kind: AlertKind): boolean => counts.has(kind) || isRate(kind)
export const hasBranch = (kind: AlertKind): boolean => kind === 'testVerdict' || kind === 'flakyRate'

/** Says what a rule watches, in one line. */
export function describeLine({ kind, threshold, windowMinutes, minimum, branch }: AlertRule): string {
  const of = branch === null ? '' : ` on ${branch}`
  const span = windowMinutes === null ? '' : ` in ${toSpan(windowMinutes)}`
  const least = minimum === null ? '' : `, from at least ${minimum}`
  const lines: Partial<Record<AlertKind, string>> = {
    crashCount: `${threshold} crashes or more${span}`,
    installCount: `${threshold} installs or more${span}`,
    crashFreeRate: `Fewer than ${threshold} % of sessions without a crash${span}${least}`,
    flakyRate: `More than ${threshold} % of test cases flaky${span}${of}${least}`,
  }
  return lines[kind] ?? `${kindNames[kind]}${of}`
}

function toSpan(minutes: number): string {
  if (minutes % 1440 === 0) return minutes === 1440 ? 'a day' : `${minutes / 1440} days`
  if (minutes % 60 === 0) return minutes === 60 ? 'an hour' : `${minutes / 60} hours`
  return `${minutes} minutes`
}

/** Says whom a rule tells. */
export function describeReceivers({ hookIds, accountIds, roles, quietHours }: AlertRule): string {
  const parts = [
    ...roles.map((role) => `${roleNames[role]}s`),
    ...(accountIds.length === 0 ? [] : [`${accountIds.length} ${accountIds.length === 1 ? 'person' : 'people'}`]),
    ...(hookIds.length === 0 ? [] : [`${hookIds.length} ${hookIds.length === 1 ? 'hook' : 'hooks'}`]),
  ]
  const quiet = quietHours === null ? '' : ` · no mails from ${quietHours.from} to ${quietHours.to}`
  return (parts.length === 0 ? 'Tells nobody' : parts.join(', ')) + quiet
}

export function toRuleState({ isEnabled, state }: AlertRule): { label: string; color: string } {
  if (!isEnabled) return { label: 'Off', color: 'gray' }
  return state === 'firing' ? { label: 'Firing', color: 'red' } : { label: 'Fine', color: 'green' }
}
