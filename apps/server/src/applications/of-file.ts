import { ApiError, type Platform } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { ApplicationRow } from './application.ts'
import { findApplicationByAlias, findApplicationByIdentifier, insertApplication } from './store.ts'

interface FileFacts {
  name: string
  platform: Platform
  bundleIdentifier: string
}

const maxAlias = 64
/** So many aliases that end with a number are tried. */
const maxTries = 100

/**
 * Finds the application with an identifier, or creates it. An upload at the same time that creates it first makes the
 * insert violate a unique name; the caller tries again, and then finds it.
 *
 * @throws {ApiError} aliasTaken if no alias that begins as the name does is free
 */
export async function requireUnnamedApplication(
  trx: Db,
  workspaceId: number,
  { name, platform, bundleIdentifier }: FileFacts,
): Promise<ApplicationRow> {
  const owner = await findApplicationByIdentifier(trx, workspaceId, platform, bundleIdentifier)
  if (owner) return owner
  const alias = await findFreeAlias(trx, workspaceId, name, bundleIdentifier)
  await insertApplication(trx, {
    workspace_id: workspaceId,
    alias,
    name,
    platform,
    bundle_identifier: bundleIdentifier,
    created_at: Date.now(),
  })
  const created = await findApplicationByAlias(trx, workspaceId, alias)
  if (!created) throw new Error('an application that was just inserted is not there')
  return created
}

async function findFreeAlias(trx: Db, workspaceId: number, name: string, bundleIdentifier: string): Promise<string> {
  const alias = toAlias(name) || toAlias(bundleIdentifier) || 'app'
  for (let number = 1; number <= maxTries; number++) {
    const end = number === 1 ? '' : `-${number}`
    const tried = alias.slice(0, maxAlias - end.length) + end
    if (!(await findApplicationByAlias(trx, workspaceId, tried))) return tried
  }
  throw new ApiError('aliasTaken')
}

/** Makes an alias of a name: `my-app-beta` of `My App (Beta)`. */
function toAlias(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxAlias)
    .replace(/^-|-$/g, '')
}
