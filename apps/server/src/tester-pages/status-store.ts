import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'

/** Selects the testers of a build's groups, once for each of these groups. */
export async function selectMembers(db: Db, buildId: number) {
  return db
    .selectFrom('build_groups')
    .innerJoin('distribution_groups as groups', 'groups.id', 'build_groups.group_id')
    .innerJoin('group_testers', 'group_testers.group_id', 'build_groups.group_id')
    .select(['group_testers.tester_id', 'groups.id', 'groups.name'])
    .where('build_groups.build_id', '=', buildId)
    .orderBy('groups.name_key')
    .execute()
}

export async function selectTold(db: Db, buildId: number) {
  return db
    .selectFrom('build_notifications')
    .select(['tester_id', 'created_at'])
    .where('build_id', '=', buildId)
    .execute()
}

export async function selectOpened(db: Db, buildId: number) {
  return db
    .selectFrom('build_testers')
    .select(['tester_id', 'opened_at', 'reminded_at', 'reminder_count'])
    .where('build_id', '=', buildId)
    .execute()
}

/** Selects when testers first installed a build on a device. */
export async function selectInstalled(db: Db, buildId: number) {
  const rows = await db
    .selectFrom('installs')
    .select((select) => ['tester_id', select.fn.min('created_at').as('installed_at')])
    .where('build_id', '=', buildId)
    .where('kind', '=', 'install')
    .where('tester_id', 'is not', null)
    .groupBy('tester_id')
    .execute()
  return rows.flatMap(({ tester_id, installed_at }) => (tester_id === null ? [] : [{ tester_id, installed_at }]))
}

/** Selects the mails about a build, the last of each tester at the end. */
export async function selectMailStates(db: Db, buildId: number) {
  const rows = await db
    .selectFrom('mails')
    .select(['tester_id', 'status'])
    .where('build_id', '=', buildId)
    .where('tester_id', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ tester_id, status }) => (tester_id === null ? [] : [{ tester_id, status }]))
}

export async function selectPeople(db: Db, workspaceId: number, testerIds: number[]) {
  return selectInBatches(testerIds, (ids) =>
    db
      .selectFrom('testers')
      .leftJoin('unsubscribes', (join) =>
        join
          .onRef('unsubscribes.workspace_id', '=', 'testers.workspace_id')
          .onRef('unsubscribes.email_key', '=', 'testers.email_key'),
      )
      .select([
        'testers.id',
        'testers.email',
        'testers.email_key',
        'testers.name',
        'unsubscribes.created_at as unsubscribed_at',
      ])
      .where('testers.workspace_id', '=', workspaceId)
      .where('testers.id', 'in', ids)
      .execute(),
  )
}
