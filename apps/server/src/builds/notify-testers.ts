import type { AppContext } from '../context.ts'
import { selectInBatches } from '../db/in-batches.ts'
import type { Db } from '../db/open.ts'
import { toPersonalUrl } from '../install/personal-link.ts'
import { enqueueMails } from '../mails/enqueue.ts'
import { createBuildMail } from './build-mail.ts'
import type { BuildRecord } from './build.ts'

/**
 * Queues one mail for each tester of the groups who has not been told about this build, however many of the groups they
 * belong to. Repeating a distribution therefore reaches only testers who joined since.
 */
export async function notifyTesters(
  context: Pick<AppContext, 'config' | 'linkKey'> & { db: Db },
  build: BuildRecord,
  groupIds: number[],
): Promise<void> {
  const { db, config, linkKey } = context
  const told = await db
    .insertInto('build_notifications')
    .columns(['build_id', 'tester_id', 'created_at'])
    .expression((query) =>
      query
        .selectFrom('testers')
        .select((select) => [
          select.val(build.id).as('build_id'),
          'testers.id as tester_id',
          select.val(Date.now()).as('created_at'),
        ])
        .where('testers.workspace_id', '=', build.workspace_id)
        .where((where) =>
          where.exists(
            where
              .selectFrom('group_testers')
              .select('group_testers.tester_id')
              .whereRef('group_testers.tester_id', '=', 'testers.id')
              .where('group_testers.group_id', 'in', groupIds),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('tester_id')
    .execute()
  if (told.length === 0) return
  const emails = await findEmails(
    db,
    told.map(({ tester_id }) => tester_id),
  )
  const toMail = createBuildMail(build, config.baseUrl)
  const mails = told.flatMap(({ tester_id }) => {
    const email = emails.get(tester_id)
    return email === undefined ? [] : [toMail(email, toPersonalUrl(build, tester_id, config.baseUrl, linkKey))]
  })
  await enqueueMails(context, build.workspace_id, mails)
}

async function findEmails(db: Db, testerIds: number[]): Promise<Map<number, string>> {
  const testers = await selectInBatches(testerIds, (ids) =>
    db.selectFrom('testers').select(['id', 'email']).where('id', 'in', ids).execute(),
  )
  return new Map(testers.map(({ id, email }) => [id, email]))
}
