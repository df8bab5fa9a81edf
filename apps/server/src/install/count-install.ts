import type { AppContext } from '../context.ts'

export interface CountedInstall {
  kind: 'install' | 'download'
  testerId: number | null
}

/** Counts one install or download of a build, with the tester when the link was personal. */
export async function countInstall(
  { db }: Pick<AppContext, 'db'>,
  buildId: number,
  { kind, testerId }: CountedInstall,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const tester =
      testerId === null
        ? undefined
        : await trx.selectFrom('testers').select('id').where('id', '=', testerId).executeTakeFirst()
    await trx
      .insertInto('installs')
      .values({ build_id: buildId, tester_id: tester?.id ?? null, kind, created_at: Date.now() })
      .execute()
    await trx
      .updateTable('builds')
      .set((update) => ({ install_count: update('install_count', '+', 1) }))
      .where('id', '=', buildId)
      .execute()
  })
}
