import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'

export async function findCodeOwners(db: Db, applicationId: number): Promise<Row<'code_owners'> | undefined> {
  return db.selectFrom('code_owners').selectAll().where('application_id', '=', applicationId).executeTakeFirst()
}

/** Tells whether an application has a CODEOWNERS file, without reading it. */
export async function hasCodeOwners(db: Db, applicationId: number): Promise<boolean> {
  const row = await db
    .selectFrom('code_owners')
    .select('application_id')
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the CODEOWNERS file of an application in place of the one before. */
export async function saveCodeOwners(
  trx: Db,
  applicationId: number,
  values: Pick<Row<'code_owners'>, 'content' | 'updated_at'>,
): Promise<void> {
  await trx
    .insertInto('code_owners')
    .values({ application_id: applicationId, ...values })
    .onConflict((conflict) => conflict.column('application_id').doUpdateSet(values))
    .execute()
}

export async function clearCodeOwnersOfTests(trx: Db, applicationId: number): Promise<void> {
  await trx.updateTable('tests').set({ code_owner: null }).where('application_id', '=', applicationId).execute()
}

/** Lists tests that name a file and whose owner was not searched yet, by id from above `after`. */
export async function listTestsWithoutCodeOwner(
  db: Db,
  applicationId: number,
  after: number,
  limit: number,
): Promise<Pick<Row<'tests'>, 'id' | 'file'>[]> {
  return db
    .selectFrom('tests')
    .select(['id', 'file'])
    .where('application_id', '=', applicationId)
    .where('id', '>', after)
    .where('file', 'is not', null)
    .where('code_owner', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Sets the owner of tests; the empty text says that the CODEOWNERS file names none. */
export async function setCodeOwner(db: Db, testIds: number[], owner: string): Promise<void> {
  await db.updateTable('tests').set({ code_owner: owner }).where('id', 'in', testIds).execute()
}
