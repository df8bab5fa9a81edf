import { ApiError, type CrashGroup } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { requireCrashGroup } from './find.ts'
import {
  insertGroup,
  listGroupsById,
  moveGroupKeys,
  moveStacks,
  pinStacks,
  requireGroupRow,
  updateGroup,
} from './groups-store.ts'
import { lockApplication } from '../crash-stacks/stacks-store.ts'
import { sumGroup } from './sum-group.ts'

type Context = Pick<AppContext, 'db' | 'config'>

/** Merges groups into one. Their keys lead to it from now on. @throws {ApiError} crashGroupNotFound, invalidRequest */
export async function mergeGroups(
  context: Context,
  workspaceId: number,
  id: number,
  groupIds: number[],
): Promise<CrashGroup> {
  const { db, config } = context
  const engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  await db.transaction().execute(async (trx) => {
    const into = await requireGroupRow(trx, workspaceId, id)
    await lockApplication(trx, engine, into.application_id)
    const fromIds = [...new Set(groupIds)].filter((other) => other !== id)
    const others = await listGroupsById(trx, fromIds)
    const isForeign = fromIds.some((other) => others.get(other)?.application_id !== into.application_id)
    if (isForeign) {
      throw new ApiError('invalidRequest', {
        faults: [{ source: '/groupIds', detail: 'must be groups of the same application' }],
      })
    }
    if (fromIds.length === 0) return
    await moveGroupKeys(trx, fromIds, id)
    await moveStacks(trx, fromIds, id)
    for (const from of fromIds) {
      await sumGroup(trx, from)
      await updateGroup(trx, from, { redirect_id: id, mail_reason: null, mail_due_at: null })
    }
    await sumGroup(trx, id)
  })
  return requireCrashGroup(context, workspaceId, id)
}

/** Moves stacks into a group of their own, where they stay whatever their keys. @throws {ApiError} */
export async function splitGroup(
  context: Context,
  workspaceId: number,
  id: number,
  stackIds: number[],
): Promise<CrashGroup> {
  const { db, config } = context
  const engine = config.databaseUrl === null ? 'sqlite' : 'postgres'
  const newId = await db.transaction().execute(async (trx) => {
    const from = await requireGroupRow(trx, workspaceId, id)
    await lockApplication(trx, engine, from.application_id)
    const { assignee_name: _name, assignee_email: _email, id: _id, ...row } = from
    const into = await insertGroup(trx, { ...row, mail_reason: null, mail_due_at: null, redirect_id: null })
    const pinned = await pinStacks(trx, id, stackIds, into)
    if (pinned !== new Set(stackIds).size) {
      throw new ApiError('invalidRequest', {
        faults: [{ source: '/stackIds', detail: 'must be stacks of this group' }],
      })
    }
    await sumGroup(trx, into)
    if (!(await sumGroup(trx, id))) await updateGroup(trx, id, { redirect_id: into })
    return into
  })
  return requireCrashGroup(context, workspaceId, newId)
}
