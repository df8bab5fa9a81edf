import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toEmailKey } from '../db/email-key.ts'
import type { Db } from '../db/open.ts'
import { findPageId, isPageOf } from '../tester-links/page-link.ts'
import { findPersonalId, isPersonalOf } from '../tester-links/personal-link.ts'
import { findLinkedTester, findTesterRecord, findTestersByKey, type LinkedTesterRecord } from './store.ts'
import type { TesterRecord } from './tester.ts'

export type { LinkedTesterRecord }

/** Whether a tester of the workspace has this e-mail address. */
export async function isTesterEmail(db: Db, workspaceId: number, email: string): Promise<boolean> {
  const testers = await findTestersByKey(db, workspaceId, [toEmailKey(email)])
  return testers.length > 0
}

/** @throws {ApiError} testerNotFound */
export async function requireTester(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
): Promise<TesterRecord> {
  const tester = await findTesterRecord(db, workspaceId, id)
  if (!tester) throw new ApiError('testerNotFound')
  return tester
}

/** Finds a tester in any workspace. The caller has to check the signature that names the tester. */
export async function findTesterById(
  { db }: Pick<AppContext, 'db'>,
  id: number,
): Promise<LinkedTesterRecord | undefined> {
  return findLinkedTester(db, id)
}

/** Finds the tester whose page has this address. */
export async function findTesterOfPage(
  { db, signingKey }: Pick<AppContext, 'db' | 'signingKey'>,
  personal: string,
): Promise<LinkedTesterRecord | undefined> {
  const id = findPageId(personal)
  const tester = id === undefined ? undefined : await findLinkedTester(db, id)
  return tester && isPageOf(signingKey, tester, personal) ? tester : undefined
}

/** Finds the tester of a personal install link of a build; a link that is nobody's, or no longer, has none. */
export async function findTesterOfLink(
  { db, signingKey }: Pick<AppContext, 'db' | 'signingKey'>,
  build: { secret: string; workspace_id: number },
  personal: string,
): Promise<LinkedTesterRecord | undefined> {
  const id = findPersonalId(personal)
  const tester = id === undefined ? undefined : await findLinkedTester(db, id)
  if (!tester || tester.workspace_id !== build.workspace_id) return undefined
  return isPersonalOf(signingKey, build.secret, tester, personal) ? tester : undefined
}
