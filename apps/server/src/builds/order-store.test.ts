import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CompiledQuery, sql } from 'kysely'
import { isPostgres } from '../db/engine.ts'
import type { Db } from '../db/open.ts'
import { fillOneBuild } from '../testing/fill-one-build.ts'
import { recordStatements } from '../testing/record-statements.ts'
import { type OpenTestDatabase, openTestDatabase } from '../testing/open-test-database.ts'
import { findBuildOfCommit, listOlderBuilds } from './order-store.ts'

describe('the order of builds', () => {
  let database: OpenTestDatabase
  let db: Db
  let newest: { id: number; application_id: number; version: string; short_version: string }

  before(async () => {
    database = await openTestDatabase()
    db = database.db
    const { applicationId } = await fillOneBuild(db)
    const build = await db.selectFrom('builds').selectAll().executeTakeFirstOrThrow()
    const numbers = Array.from({ length: 1500 }, (_, index) => index + 2)
    const { id: _, ...values } = build
    const copies = numbers.map((number) => ({
      ...values,
      number,
      version: String(number),
      secret: `secret ${number}`,
      source_branch: number % 500 === 0 ? 'release/é' : 'main',
      source_commit: String(number).padStart(40, '0'),
    }))
    for (let start = 0; start < copies.length; start += 500) {
      await db
        .insertInto('builds')
        .values(copies.slice(start, start + 500))
        .execute()
    }
    await sql`analyze`.execute(db)
    const { id } = await db.selectFrom('builds').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    newest = { id, application_id: applicationId, version: String(numbers.at(-1)), short_version: '1' }
  })
  after(() => database?.[Symbol.asyncDispose]())

  it('has the newest older build of a branch and of a commit', async () => {
    const versions = async (where: Parameters<typeof listOlderBuilds>[2]) => {
      const ids = (await listOlderBuilds(db, newest, where, 2)).map(({ id }) => id)
      const rows = await db
        .selectFrom('builds')
        .select(['id', 'version'])
        .where('id', 'in', [0, ...ids])
        .execute()
      return ids.map((id) => rows.find((row) => row.id === id)?.version)
    }
    assert.deepEqual(await versions({ branch: 'release/é' }), ['1500', '1000'])
    assert.deepEqual(await versions({ branch: 'none' }), [])
    assert.deepEqual(await versions({ commit: '7'.padStart(40, '0') }), ['7'])
    assert.deepEqual(await versions({}), ['1500', '1499'])
  })

  it('is looked up in the indexes of branches and commits, whatever the number of builds', async () => {
    const rare = await watch((watched) => listOlderBuilds(watched, newest, { branch: 'none' }, 1))
    assert.match(rare, /builds_by_source_branch/)
    const cut = await watch((watched) => listOlderBuilds(watched, newest, { commit: 'f'.repeat(40) }, 1))
    assert.match(cut, /builds_by_source_commit/)
    const { application_id } = newest
    const found = await watch((watched) => findBuildOfCommit(watched, application_id, 'f'.repeat(40)))
    assert.match(found, /builds_by_source_commit/)
  })

  /** Returns the plan of the one statement that a function runs. */
  async function watch(run: (db: Db) => Promise<unknown>): Promise<string> {
    const [statement, ...others] = await recordStatements(db, run)
    assert.ok(statement)
    assert.equal(others.length, 0)
    const explain = isPostgres(db) ? 'explain' : 'explain query plan'
    const explained = CompiledQuery.raw(`${explain} ${statement.sql}`, [...statement.parameters])
    return JSON.stringify((await db.executeQuery(explained)).rows)
  }
})
