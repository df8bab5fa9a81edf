import { ApiError, type Page } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toTopic } from '../db/changes.ts'
import type { Db } from '../db/open.ts'
import type { Paged } from '../db/paging.ts'
import type { ApplicationRecord, ApplicationRow } from './application.ts'
import { findApplication, findApplicationByAlias, listApplicationRecords, lockApplicationRow } from './store.ts'

/** @throws {ApiError} applicationNotFound */
export async function requireApplication(
  { db, memo }: Pick<AppContext, 'db' | 'memo'>,
  workspaceId: number,
  id: number,
): Promise<ApplicationRecord> {
  const application = await memo.remember(
    `application ${workspaceId} ${id}`,
    () => findApplication(db, workspaceId, id),
    { topics: () => [toTopic('application', id), toTopic('buildsOf', id)] },
  )
  if (!application) throw new ApiError('applicationNotFound')
  return application
}

/** @throws {ApiError} aliasNotFound */
export async function requireApplicationByAlias(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  alias: string,
): Promise<ApplicationRow> {
  const application = await findApplicationByAlias(db, workspaceId, alias)
  if (!application) throw new ApiError('aliasNotFound')
  return application
}

/**
 * Locks an application until the transaction ends; every transaction that adds to it or takes from it does so first.
 * Returns undefined when the application was deleted meanwhile.
 */
export async function lockApplication(trx: Db, id: number): Promise<ApplicationRow | undefined> {
  return lockApplicationRow(trx, id)
}

export async function listApplications(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  page: Page,
): Promise<Paged<ApplicationRecord>> {
  return listApplicationRecords(db, workspaceId, page)
}
