import { randomBytes } from 'node:crypto'
import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { requireTester } from './find.ts'
import { updateLinkSalt } from './store.ts'
import type { TesterRecord } from './tester.ts'

/**
 * Gives a tester's page another address. The old one exists no longer, and install links in older mails show their
 * builds without the tester.
 *
 * @throws {ApiError} testerNotFound
 */
export async function renewTesterLink(
  context: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
): Promise<TesterRecord> {
  if (!(await updateLinkSalt(context.db, workspaceId, id, createLinkSalt()))) throw new ApiError('testerNotFound')
  return requireTester(context, workspaceId, id)
}

export function createLinkSalt(): string {
  return randomBytes(16).toString('base64url')
}
