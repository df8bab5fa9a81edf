import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { BuildRecord } from './build.ts'
import { findBuild, findBuildById, findBuildBySecret, listBuildRecords, listBuildRecordsById } from './store.ts'

/** @throws {ApiError} buildNotFound */
export async function requireBuild(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  id: number,
): Promise<BuildRecord> {
  const build = await findBuild(db, workspaceId, id)
  if (!build) throw new ApiError('buildNotFound')
  return build
}

/** Finds the build of an application that was uploaded last. */
export async function findNewestBuild(
  { db }: Pick<AppContext, 'db'>,
  applicationId: number,
): Promise<BuildRecord | undefined> {
  const [newest] = await listBuildRecords(db, applicationId, {}, { after: undefined, limit: 1 })
  return newest
}

/** Reads builds by their ids, newest first; those that are deleted or in the trash are left out. */
export async function listBuildsById({ db }: Pick<AppContext, 'db'>, ids: number[]): Promise<BuildRecord[]> {
  return listBuildRecordsById(db, ids)
}

/** Finds the build of an install link. Text that cannot be a secret is not looked up. */
export async function findLinkedBuild(
  { db }: Pick<AppContext, 'db'>,
  secret: string,
): Promise<BuildRecord | undefined> {
  return /^[\w-]{22}$/.test(secret) ? findBuildBySecret(db, secret) : undefined
}

/** Finds the build that a download grant names. The caller has to check the signature of the grant. */
export async function findGrantedBuild({ db }: Pick<AppContext, 'db'>, id: number): Promise<BuildRecord | undefined> {
  return Number.isSafeInteger(id) ? findBuildById(db, id) : undefined
}
