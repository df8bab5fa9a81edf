import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { LatestLinkRecord } from './latest-link.ts'
import { findLatestLinkById, findLatestLinkBySecret, findLatestLinkRow } from './store.ts'

type Context = Pick<AppContext, 'db'>

/** @throws {ApiError} latestLinkNotFound */
export async function requireLatestLink({ db }: Context, workspaceId: number, id: number): Promise<LatestLinkRecord> {
  const link = await findLatestLinkRow(db, workspaceId, id)
  if (!link) throw new ApiError('latestLinkNotFound')
  return link
}

/** Finds a link by its address. Text that cannot be a secret is not looked up. */
export async function findOpenedLatestLink({ db }: Context, secret: string): Promise<LatestLinkRecord | undefined> {
  return /^[\w-]{22}$/.test(secret) ? findLatestLinkBySecret(db, secret) : undefined
}

/** Finds the link that a download grant names. The caller has to check the signature of the grant. */
export async function findGrantingLatestLink({ db }: Context, id: number): Promise<LatestLinkRecord | undefined> {
  return Number.isSafeInteger(id) ? findLatestLinkById(db, id) : undefined
}
