import type { Badge, TestRun } from '@fairlead/contract'
import { randomBytes } from 'node:crypto'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { addBadgeSecret, findApplicationOfBadge, readBadgeSecret, removeBadgeSecret } from './badge-store.ts'
import { toTestRun } from '../test-results/run.ts'
import { listCompleteRuns } from '../test-results/run-store.ts'

type BadgeContext = Pick<AppContext, 'db'> & { config: { baseUrl: string } }

export async function describeBadge({ db, config }: BadgeContext, applicationId: number): Promise<Badge> {
  const secret = await readBadgeSecret(db, applicationId)
  return { url: secret === null ? null : `${config.baseUrl}/badge/${secret}.svg` }
}

/** Gives an application an address for its badge. One that has an address keeps it. */
export async function createBadge(context: BadgeContext, applicationId: number): Promise<Badge> {
  await addBadgeSecret(context.db, applicationId, randomBytes(16).toString('base64url'))
  return describeBadge(context, applicationId)
}

/** Revokes the address of a badge; a badge that is created later gets another address. */
export async function removeBadge(db: Db, applicationId: number): Promise<void> {
  await removeBadgeSecret(db, applicationId)
}

/**
 * Draws the badge of a secret: the last complete run of a branch, of the default branch unless one is given. Undefined
 * if the secret is unknown.
 */
export async function drawBadge(db: Db, secret: string, branch?: string): Promise<string | undefined> {
  const application = await findApplicationOfBadge(db, secret)
  if (!application) return undefined
  const [run] = await listCompleteRuns(db, application.id, { branch: branch ?? application.default_branch }, 1)
  return renderBadge(run && toTestRun(run))
}

const colors = { pass: '#1f7a4d', fail: '#b42318', pending: '#5b6874', noTests: '#5b6874' }

function renderBadge(run: Pick<TestRun, 'result' | 'counts'> | undefined): string {
  const words = run === undefined || run.result === 'noTests' ? 'no tests' : describeRun(run)
  const color = run ? colors[run.result] : colors.noTests
  const label = 'tests'
  const [left, right] = [measure(label), measure(words)]
  const width = left + right
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${words}">`,
    `<title>${label}: ${words}</title>`,
    `<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#2f3a45"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${color}"/></g>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    `<text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${words}</text></g></svg>`,
  ].join('')
}

function describeRun({ result, counts: { passed, failed, cases } }: Pick<TestRun, 'result' | 'counts'>): string {
  if (result === 'fail') return failed === 0 ? 'failed' : `${failed} of ${cases} failed`
  return `${passed} passed`
}

/** The width of a text of 11 pixels with its padding, by the widest digits and letters of common fonts. */
function measure(text: string): number {
  return Math.ceil(text.length * 6.8) + 12
}
