import type { Badge, TestRun } from '@fairlead/contract'
import { randomBytes } from 'node:crypto'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { badgeColors, drawBadgeImage } from '../html/badge.ts'
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

const colors = {
  pass: badgeColors.good,
  fail: badgeColors.bad,
  pending: badgeColors.neutral,
  noTests: badgeColors.neutral,
}

function renderBadge(run: Pick<TestRun, 'result' | 'counts'> | undefined): string {
  const words = run === undefined || run.result === 'noTests' ? 'no tests' : describeRun(run)
  return drawBadgeImage('tests', words, run ? colors[run.result] : colors.noTests)
}

function describeRun({ result, counts: { passed, failed, cases } }: Pick<TestRun, 'result' | 'counts'>): string {
  if (result === 'fail') return failed === 0 ? 'failed' : `${failed} of ${cases} failed`
  return `${passed} passed`
}
