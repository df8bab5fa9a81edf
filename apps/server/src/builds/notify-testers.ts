import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { toPersonalUrl } from '../install/personal-link.ts'
import type { BuildRecord } from './build.ts'

/** Puts one mail into the outbox for each tester of the groups, however many of the groups they are in. */
export async function notifyTesters(
  { db, config, linkKey }: Pick<AppContext, 'config' | 'linkKey'> & { db: Db },
  build: BuildRecord,
  groupIds: number[],
): Promise<void> {
  const testers = await db
    .selectFrom('testers')
    .select(['testers.id', 'testers.email'])
    .where((where) =>
      where.exists(
        where
          .selectFrom('group_testers')
          .select('tester_id')
          .whereRef('tester_id', '=', 'testers.id')
          .where('group_id', 'in', groupIds),
      ),
    )
    .execute()
  const title = `${build.name} ${build.short_version} (${build.version})`
  for (const tester of testers) {
    const link = toPersonalUrl(build, tester.id, config.baseUrl, linkKey)
    await db
      .insertInto('mails')
      .values({
        workspace_id: build.workspace_id,
        recipient: tester.email,
        subject: `${title} is ready to test`,
        text: `${title} is ready to test.\n\n${link}\n${build.release_notes ? `\n${build.release_notes}\n` : ''}`,
        html: '',
        status: 'waiting',
        created_at: Date.now(),
      })
      .execute()
  }
}
