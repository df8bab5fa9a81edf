import type { OverviewLine as Line } from '@fairlead/contract'
import classes from './application.module.css'
import { formatCrashFree, formatSome } from '../ui/rates.ts'

const results: Record<NonNullable<Line['testResult']>, string> = {
  pass: 'Tests passed',
  fail: 'Tests failed',
  pending: 'Tests running',
  noTests: 'No tests',
}

type Tone = 'good' | 'bad' | 'neutral'

const tones: Record<NonNullable<Line['testResult']>, Tone> = {
  pass: 'good',
  fail: 'bad',
  pending: 'neutral',
  noTests: 'neutral',
}

/** The overview of an application in a line: what is well and what is not stands there in words, after a dot. */
export function OverviewLine({ line }: { line: Line | undefined }) {
  if (!line) return null
  const { crashFreeRate, testResult, newCrashGroupCount, failingTestCount, flakyTestCount, lacksSymbols } = line
  const facts: [text: string, tone: Tone][] = []
  if (testResult !== null) facts.push([results[testResult], tones[testResult]])
  if (crashFreeRate !== null) facts.push([`${formatCrashFree(crashFreeRate)} crash-free`, 'neutral'])
  if (newCrashGroupCount > 0) facts.push([formatSome(newCrashGroupCount, 'new crash group'), 'bad'])
  if (failingTestCount > 0) facts.push([formatSome(failingTestCount, 'failing test'), 'bad'])
  if (flakyTestCount > 0) facts.push([formatSome(flakyTestCount, 'newly flaky test'), 'neutral'])
  if (lacksSymbols) facts.push(['symbols missing', 'bad'])
  return (
    <span className={classes['line']}>
      {facts.length === 0 && 'No sessions, crashes or tests yet'}
      {facts.map(([text, tone]) => (
        <span key={text} data-tone={tone}>
          {text}
        </span>
      ))}
    </span>
  )
}
