import { ApiError } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { BuildRecord } from './build.ts'
import { findBuild, findBuildBySecret } from './store.ts'

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

/** The build of an install link; undefined when there is none, and when the text cannot be a secret. */
export async function findLinkedBuild(
  { db }: Pick<AppContext, 'db'>,
  secret: string,
): Promise<BuildRecord | undefined> {
  return /^[\w-]{22}$/.test(secret) ? findBuildBySecret(db, secret) : undefined
}
