import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Row, Schema } from '../db/schema.ts'
import type { DeviceRecord } from './device.ts'

function selectRecords(db: Db) {
  return db
    .selectFrom('devices')
    .innerJoin('testers', 'testers.id', 'devices.tester_id')
    .selectAll('devices')
    .select(['testers.email as tester_email', 'testers.name as tester_name'])
}

/** Lists the devices of a workspace, of one of its testers, or of the testers in a group, newest first. */
export async function listDeviceRecords(
  db: Db,
  workspaceId: number,
  { testerId, groupId }: { testerId?: number; groupId?: number | undefined } = {},
): Promise<DeviceRecord[]> {
  let query = selectRecords(db).where('devices.workspace_id', '=', workspaceId).orderBy('devices.id', 'desc')
  if (testerId !== undefined) query = query.where('devices.tester_id', '=', testerId)
  if (groupId !== undefined) {
    const members = db.selectFrom('group_testers').select('tester_id').where('group_id', '=', groupId)
    query = query.where('devices.tester_id', 'in', members)
  }
  return query.execute()
}

export async function findDeviceRecord(db: Db, workspaceId: number, id: number): Promise<DeviceRecord | undefined> {
  return selectRecords(db)
    .where('devices.workspace_id', '=', workspaceId)
    .where('devices.id', '=', id)
    .executeTakeFirst()
}

/** Finds a device in any workspace, for a job that was enqueued with it. */
export async function findDeviceRow(db: Db, id: number): Promise<Row<'devices'> | undefined> {
  return db.selectFrom('devices').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function countDevicesOf(db: Db, testerId: number): Promise<number> {
  const { count } = await db
    .selectFrom('devices')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('tester_id', '=', testerId)
    .executeTakeFirstOrThrow()
  return count
}

/** Inserts a device of a tester, or brings the one with the same UDID up to date. Returns whether it is new. */
export async function saveDevice(
  trx: Db,
  values: Insertable<Schema['devices']>,
): Promise<{ id: number; isNew: boolean }> {
  const known = await trx
    .updateTable('devices')
    .set({ product: values.product, os_version: values.os_version, is_apple_signed: values.is_apple_signed })
    .where('tester_id', '=', values.tester_id)
    .where('udid_key', '=', values.udid_key)
    .returning('id')
    .executeTakeFirst()
  if (known) return { id: known.id, isNew: false }
  const { id } = await trx.insertInto('devices').values(values).returning('id').executeTakeFirstOrThrow()
  return { id, isNew: true }
}

/** Stores the first answer to a challenge. Returns the digest of the UDID that has answered it. */
export async function answerChallenge(trx: Db, values: Insertable<Schema['device_answers']>): Promise<string> {
  await trx
    .insertInto('device_answers')
    .values(values)
    .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
    .execute()
  const { udid_hash: hash } = await trx
    .selectFrom('device_answers')
    .select('udid_hash')
    .where('challenge_hash', '=', values.challenge_hash)
    .executeTakeFirstOrThrow()
  return hash
}

/** Returns whether the device still exists. */
export async function updateDevice(
  db: Db,
  { workspace_id: workspaceId, id }: Pick<Row<'devices'>, 'workspace_id' | 'id'>,
  values: Updateable<Schema['devices']>,
): Promise<boolean> {
  const updated = await db
    .updateTable('devices')
    .set(values)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Deletes a device, of a given tester if its tester asks. Returns whether there was such a device. */
export async function deleteDevice(db: Db, workspaceId: number, id: number, testerId?: number): Promise<boolean> {
  let query = db.deleteFrom('devices').where('workspace_id', '=', workspaceId).where('id', '=', id)
  if (testerId !== undefined) query = query.where('tester_id', '=', testerId)
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

/** Lists those testers to whose groups a build was distributed. */
export async function listTestersOfBuild(db: Db, buildId: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('build_groups')
    .innerJoin('group_testers', 'group_testers.group_id', 'build_groups.group_id')
    .select('group_testers.tester_id')
    .distinct()
    .where('build_groups.build_id', '=', buildId)
    .execute()
  return new Set(rows.map((row) => row.tester_id))
}

export async function findKeyRow(db: Db, workspaceId: number): Promise<Row<'app_store_keys'> | undefined> {
  return db.selectFrom('app_store_keys').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirst()
}

export async function replaceKeyRow(trx: Db, values: Insertable<Schema['app_store_keys']>): Promise<void> {
  const { workspace_id: _, ...changed } = values
  await trx
    .insertInto('app_store_keys')
    .values(values)
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(changed))
    .execute()
}

/** Returns whether there was one. */
export async function deleteKeyRow(db: Db, workspaceId: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('app_store_keys')
    .where('workspace_id', '=', workspaceId)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}
