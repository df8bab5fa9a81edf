import type { OverviewLine as Line } from '@fairlead/contract'
import classes from './application.module.css'
import { formatCrashFree, formatSome } from '../ui/rates.ts'

const results: Record<NonNullable<Line['testResult']>, string> = {
  pass: 'Tests passed',
  fail: 'Tests failed',
  pending: 'Tests running',
  noTests: 'No tests',
}

/** The overview of an application in a line: what is not well is in colour and in words. */
export function OverviewLine({ line }: { line: Line | undefined }) {
  // A line of its height keeps the place until the facts are there.
  if (!line) return <span className={classes['line']}>&nbsp;</span>
  const { crashFreeRate, testResult, newCrashGroupCount, failingTestCount, flakyTestCount, lacksSymbols } = line
  const facts: [text: string, isBad: boolean][] = []
  if (testResult !== null) facts.push([results[testResult], testResult === 'fail'])
  if (crashFreeRate !== null) facts.push([`${formatCrashFree(crashFreeRate)} crash-free`, false])
  if (newCrashGroupCount > 0) facts.push([formatSome(newCrashGroupCount, 'new crash group'), true])
  if (failingTestCount > 0) facts.push([formatSome(failingTestCount, 'failing test'), true])
  if (flakyTestCount > 0) facts.push([formatSome(flakyTestCount, 'newly flaky test'), false])
  if (lacksSymbols) facts.push(['symbols missing', true])
  return (
    <span className={classes['line']}>
      {facts.length === 0 && 'No sessions, crashes or tests yet'}
      {facts.map(([text, isBad]) => (
        <span key={text} data-bad={isBad || undefined}>
          {text}
        </span>
      ))}
    </span>
  )
}
