import { toShownLine } from '../output/shown-text.ts'
import { formatBytes } from '../output/units.ts'
import type { ForgeState } from './forges/forge.ts'
import type { TestRun } from '../test-runs/run-output.ts'
import type { ReportContent } from './report-content.ts'

const longestName = 200
const longestMessage = 200

const headings = {
  pass: 'Tests passed',
  fail: 'Tests failed',
  pending: 'Tests are running',
  noTests: 'There are no tests',
} as const

/** The text by which the comment of an application is found again. CommonMark shows no link definition. */
export function toMark(application: string): string {
  return `[//]: # (fairlead ${application.replaceAll(/[^\w.-]/g, '_')})`
}

/** Renders the comment and the summary in Markdown that all forges understand. */
export function renderReport(content: ReportContent, qrCode: string | undefined): string {
  const { application, commit, verdict, build } = content
  const title = verdict ? headings[verdict.result] : 'Build uploaded'
  const lines = [toMark(application), '', `### ${title}: ${toCode(application)}`, '']
  if (verdict) lines.push(toCounts(content), '')
  for (const { detail } of verdict?.reasons ?? []) lines.push(`- ${toText(detail)}`)
  if ((verdict?.reasons.length ?? 0) > 0) lines.push('')
  lines.push(...renderFailures(content))
  if (content.flaky.length > 0) lines.push('**Flaky**', '', ...content.flaky.map((name) => `- ${toCode(name)}`), '')
  if (content.newCrashes.length > 0) {
    lines.push('**New crashes in this build**', '', ...content.newCrashes.map((one) => `- ${toCode(one)}`), '')
  }
  if (build) lines.push(...renderBuild(content, qrCode))
  if (commit !== null) lines.push(`Commit ${toCode(commit.slice(0, 12))}`)
  return `${lines.join('\n').trimEnd()}\n`
}

interface StatusContent extends Pick<ReportContent, 'verdict' | 'build'> {
  run: Pick<TestRun, 'counts'> | undefined
}

/** One line for the status of the commit. A flaky case passed in the end, and is not counted as passed too. */
export function describeStatus(content: StatusContent): { state: ForgeState; description: string } {
  const { run, verdict, build } = content
  if (!verdict)
    return { state: 'success', description: build ? `Build ${build.id} was uploaded` : 'No tests, no build' }
  const { counts, result } = verdict
  const failed = counts.new + counts.known
  const flaky = run?.counts.flaky ?? 0
  const words = [
    `${counts.passed - flaky} passed`,
    flaky > 0 && `${flaky} flaky`,
    failed > 0 && `${failed} failed`,
    counts.flaky > 0 && `${counts.flaky} known to be flaky`,
  ]
  const state = result === 'pass' ? 'success' : result === 'pending' ? 'pending' : 'failure'
  return { state, description: `${headings[result]}: ${words.filter(Boolean).join(', ')}` }
}

/** A flaky case passed in the end. Failures of tests that are known to be flaky are called so. */
function toCounts({ run, verdict }: ReportContent): string {
  const { flaky: knownFlaky = 0, passed = 0, skipped = 0, ...failures } = verdict?.counts ?? {}
  const flaky = run?.counts.flaky ?? 0
  const counts = { ...failures, 'known to be flaky': knownFlaky, passed: passed - flaky, flaky, skipped }
  return Object.entries(counts)
    .filter(([name, count]) => count > 0 || name === 'passed')
    .map(([name, count]) => `${count} ${name}`)
    .join(' · ')
}

function renderFailures({ failures, verdict }: ReportContent): string[] {
  if (failures.length === 0) return []
  const more = (verdict?.counts.new ?? 0) - failures.length
  return [
    '**New failures**',
    '',
    ...failures.map(({ name, file, line, owner, message }) => {
      const place = file === null || line === null ? file : `${file}:${line}`
      const facts = [place === null ? '' : ` at ${toCode(place)}`, owner === null ? '' : ` (${toCode(owner)})`]
      return `- ${toCode(name)}${facts.join('')}${message === null ? '' : `: ${toCode(message, longestMessage)}`}`
    }),
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
  ]
}

function renderBuild({ build, baseBuild }: ReportContent, qrCode: string | undefined): string[] {
  if (!build) return []
  const version = `${build.shortVersion} (${build.version})`
  const size = formatBytes(build.size)
  const change = baseBuild ? build.size - baseBuild.size : 0
  const sign = change < 0 ? '−' : '+'
  const words = baseBuild ? `${size} (${sign}${formatBytes(Math.abs(change))} against build ${baseBuild.id})` : size
  return [
    [`**Build ${build.id}**: ${toCode(version)}`, `${words} · [Install](${build.installUrl})`].join(', '),
    '',
    ...(qrCode === undefined
      ? []
      : ['<details><summary>QR code</summary>', '', '```text', qrCode, '```', '', '</details>', '']),
  ]
}

/**
 * Text from outside as a code span, in which Markdown, HTML and mentions of people mean nothing. A backtick would end
 * it.
 */
function toCode(text: string, longest = longestName): string {
  const line = toShownLine(text).replaceAll('`', "'").trim()
  const shown = line.length > longest ? `${line.slice(0, longest)}…` : line
  return shown === '' ? '` `' : `\`${shown}\``
}

function toText(text: string): string {
  return toShownLine(text).replaceAll(/[\\`*_{}[\]<>#|@~]/g, '\\$&')
}
