import { randomBytes } from 'node:crypto'
import { ApiError, type CreateLatestLink, type LatestLink, type UpdateLatestLink } from '@fairlead/contract'
import { readLinkEnd } from '../builds/install-link.ts'
import type { AppContext } from '../context.ts'
import { isForeignKeyViolation } from '../db/foreign-key.ts'
import type { Row } from '../db/schema.ts'
import { listGroupsById } from '../distribution-groups/find.ts'
import type { Caller } from '../http/caller.ts'
import { requireLatestLink } from './find.ts'
import { describeLatestLink, type LatestLinkRecord } from './latest-link.ts'
import { countLatestLinks, deleteLatestLink, insertLatestLink, updateLatestLinkRow } from './store.ts'

type Context = Pick<AppContext, 'db' | 'config' | 'guard'>

/** Keeps the list of an application's links short enough to be read whole. */
const linkLimit = 100

/** @throws {ApiError} unknownGroup, groupOfUploads, invalidRequest, tooManyLatestLinks, applicationNotFound */
export async function createLatestLink(
  context: Context,
  caller: Caller,
  applicationId: number,
  input: CreateLatestLink,
): Promise<LatestLink> {
  const { db } = context
  const { workspaceId } = caller
  const changes = await readChanges(context, workspaceId, input, null)
  if ((await countLatestLinks(db, applicationId)) >= linkLimit) throw new ApiError('tooManyLatestLinks')
  const id = await refusingLostRows(
    'applicationNotFound',
    insertLatestLink(db, {
      follows: 'distributed',
      ...changes,
      name: input.name,
      workspace_id: workspaceId,
      application_id: applicationId,
      secret: createSecret(),
      created_by: caller.name,
      created_at: Date.now(),
    }),
  )
  return describeLatestLink(context, await requireLatestLink(context, workspaceId, id))
}

/**
 * Changes a link. What it gave out ends with a new password, with its expiry and with its revocation.
 *
 * @throws {ApiError} latestLinkNotFound, unknownGroup, groupOfUploads, invalidRequest
 */
export async function updateLatestLink(
  context: Context,
  link: LatestLinkRecord,
  input: UpdateLatestLink,
): Promise<LatestLink> {
  const changes = await readChanges(context, link.workspace_id, input, link)
  const isThere =
    Object.keys(changes).length === 0 ||
    (await refusingLostRows('unknownGroup', updateLatestLinkRow(context.db, link, changes)))
  if (!isThere) throw new ApiError('latestLinkNotFound')
  return describeLatestLink(context, await requireLatestLink(context, link.workspace_id, link.id))
}

/**
 * Gives a link another address. The old one exists no longer, and neither does what it gave out.
 *
 * @throws {ApiError} latestLinkNotFound
 */
export async function renewLatestLink(context: Context, workspaceId: number, id: number): Promise<LatestLink> {
  if (!(await updateLatestLinkRow(context.db, { workspace_id: workspaceId, id }, { secret: createSecret() }))) {
    throw new ApiError('latestLinkNotFound')
  }
  return describeLatestLink(context, await requireLatestLink(context, workspaceId, id))
}

/** @throws {ApiError} latestLinkNotFound */
export async function removeLatestLink({ db }: Pick<Context, 'db'>, workspaceId: number, id: number): Promise<void> {
  if (!(await deleteLatestLink(db, workspaceId, id))) throw new ApiError('latestLinkNotFound')
}

type Changes = Partial<Omit<Row<'latest_links'>, 'id' | 'workspace_id' | 'application_id'>>

async function readChanges(
  context: Context,
  workspaceId: number,
  input: UpdateLatestLink,
  link: LatestLinkRecord | null,
): Promise<Changes> {
  const { name, distributionGroupId: groupId, branch, follows, showsOlder, password, expirationDate, isRevoked } = input
  const changes: Changes = {}
  if (name !== undefined) changes.name = name
  if (branch !== undefined) changes.branch = branch
  if (follows !== undefined) changes.follows = follows
  if (showsOlder !== undefined) changes.shows_older = showsOlder ? 1 : 0
  if (groupId !== undefined) changes.group_id = groupId
  if (expirationDate !== undefined) changes.expires_at = expirationDate === null ? null : readLinkEnd(expirationDate)
  if (isRevoked !== undefined) changes.link_revoked_at = isRevoked ? (link?.link_revoked_at ?? Date.now()) : null
  const merged = { group_id: null, follows: 'distributed', ...link, ...changes }
  if (merged.follows === 'uploaded' && merged.group_id !== null) {
    const source = follows === undefined ? '/distributionGroupId' : '/follows'
    throw new ApiError('groupOfUploads', {
      faults: [{ source, detail: 'does not go together with the other: uploads are given to no group' }],
    })
  }
  if (typeof groupId === 'number') await requireKnownGroup(context, workspaceId, groupId)
  if (password !== undefined) {
    changes.link_password_hash = password === null ? null : await context.guard.passwords.hash(password)
  }
  return changes
}

async function requireKnownGroup(context: Pick<Context, 'db'>, workspaceId: number, id: number): Promise<void> {
  const found = await listGroupsById(context, workspaceId, [id])
  if (found.length > 0) return
  const detail = `There is no distribution group ${id}`
  throw new ApiError('unknownGroup', { detail, faults: [{ source: '/distributionGroupId', detail }] })
}

/** The application or the group may be deleted between its check and the write that refers to it. */
async function refusingLostRows<Result>(
  code: 'applicationNotFound' | 'unknownGroup',
  write: Promise<Result>,
): Promise<Result> {
  try {
    return await write
  } catch (error) {
    throw isForeignKeyViolation(error) ? new ApiError(code, { cause: error }) : error
  }
}

function createSecret(): string {
  return randomBytes(16).toString('base64url')
}
