import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { requireAt } from '@fairlead/invariant'
import { isPostgres } from '../db/engine.ts'
import { insertRows } from '../db/insert-rows.ts'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { fillOneBuild } from '../testing/fill-one-build.ts'
import { type OpenTestDatabase, openTestDatabase } from '../testing/open-test-database.ts'
import { toRanges } from './name-order-store.ts'
import { listTests } from './test-store.ts'

describe('lists and searches of tests', () => {
  const count = 4500
  let database: OpenTestDatabase
  let db: Db
  let applicationId: number

  before(async () => {
    database = await openTestDatabase()
    db = database.db
    applicationId = (await fillOneBuild(db)).applicationId
    const { workspace_id } = requireAt(await db.selectFrom('applications').select('workspace_id').execute(), 0)
    const run = {
      workspace_id,
      application_id: applicationId,
      run_key: 'one',
      attempt: 1,
      state: 'complete' as const,
      shards_received: toJsonText<number[]>([]),
      created_at: 1,
      updated_at: 1,
    }
    const { id: runId } = await db.insertInto('test_runs').values(run).returning('id').executeTakeFirstOrThrow()
    const rows = Array.from({ length: count }, (_, index) => ({
      workspace_id,
      application_id: applicationId,
      identity: String(index),
      suite: index % 2 === 0 ? 'Unit' : null,
      class: `Class${index % 7}`,
      name: `opens page ${index}`,
      last_run_id: runId,
      flake_state: index % 900 === 0 ? 2 : 0,
      flake_cost: index % 1800,
      p95_ms: index % 3 === 0 ? index % 50 : null,
      created_at: 1,
    }))
    await insertRows(db, 'tests', rows)
  })
  after(() => database?.[Symbol.asyncDispose]())

  it('finds the same tests page by page as a plain reading does, in the order of the list', async () => {
    const all = await db.selectFrom('tests').selectAll().orderBy('id', 'desc').execute()
    for (const [q, state] of [
      ['CLASS3 opens', undefined],
      ['page 9', 'slow'],
      ['unit', 'flaky'],
      ['%', undefined],
    ] as const) {
      const holds = all.filter((test) =>
        `${test.suite ?? ''} ${test.class ?? ''} ${test.name}`.toLowerCase().includes(q.toLowerCase()),
      )
      const listed = holds.filter((test) =>
        state === 'slow' ? test.p95_ms !== null : state !== 'flaky' || test.flake_state === 2,
      )
      const value = (test: (typeof all)[number]) =>
        state === 'slow' ? (test.p95_ms ?? 0) : state === 'flaky' ? test.flake_cost : 0
      const expected = listed.toSorted((a, b) => value(b) - value(a) || b.id - a.id).map(({ id }) => id)
      const found: number[] = []
      let cursor: string | undefined
      do {
        const page = await listTests(db, applicationId, { q, state, cursor, limit: 200 })
        assert.equal(page.total, expected.length)
        for (const { id } of page.items) found.push(id)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      assert.deepEqual(found, expected, `${q} ${state}`)
    }
  })

  it('sorts all tests or those that it finds by name or from the slowest, those without a time last', async () => {
    const all = await db.selectFrom('tests').selectAll().execute()
    const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
    type Row = (typeof all)[number]
    const byName = (a: Row, b: Row) =>
      compare(a.suite ?? '', b.suite ?? '') ||
      compare(a.class ?? '', b.class ?? '') ||
      compare(a.name, b.name) ||
      a.id - b.id
    const fromSlowest = (a: Row, b: Row) => (b.p95_ms ?? -1) - (a.p95_ms ?? -1) || b.id - a.id
    for (const [sort, q, order] of [
      ['name', undefined, byName],
      ['name', 'class3', byName],
      ['p95', undefined, fromSlowest],
      ['p95', 'class3', fromSlowest],
      ['newest', undefined, (a, b) => b.id - a.id],
    ] as const satisfies [string, string | undefined, (a: Row, b: Row) => number][]) {
      const expected = all.filter((test) => q === undefined || test.class === 'Class3').toSorted(order)
      const found: number[] = []
      let cursor: string | undefined
      do {
        const page = await listTests(db, applicationId, { q, sort, cursor, limit: 97 })
        assert.equal(page.total, expected.length)
        for (const { id } of page.items) found.push(id)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      assert.deepEqual(
        found,
        expected.map(({ id }) => id),
        `${sort} ${q}`,
      )
    }
  })

  it('sorts no tests on the embedded database, whose index has the order of their names', async () => {
    if (isPostgres(db)) return
    const place = { suite: 'Unit', class: 'Class3', name: 'opens page 7', id: 7 }
    for (const { isIn, columns } of [...toRanges(db, undefined), ...toRanges(db, place)]) {
      const { rows } = await sql<{ detail: string }>`
        explain query plan select * from tests
          where application_id = ${applicationId} and merged_into is null and last_run_id is not null and ${isIn}
          order by ${sql.join(columns)} limit 51
      `.execute(db)
      const plan = rows.map(({ detail }) => detail).join()
      assert.match(plan, /USING INDEX tests_named/)
      assert.doesNotMatch(plan, /TEMP B-TREE/)
    }
  })

  it('lets other requests in between slices of the tests', async () => {
    let turns = 0
    let isDone = false
    const countTurns = () => {
      turns++
      if (!isDone) setImmediate(countTurns)
    }
    setImmediate(countTurns)
    await listTests(db, applicationId, { q: 'nowhere', limit: 50 })
    isDone = true
    assert.ok(turns >= Math.floor(count / 1000), `${turns} turns of the event loop`)
  })

  it('reads no rows of tests on the embedded database, only their index', async () => {
    if (isPostgres(db)) return
    const { rows } = await sql<{ detail: string }>`
      explain query plan select id, suite, class, name from tests
        where application_id = ${applicationId} and id < 5000 order by id desc limit 1000
    `.execute(db)
    assert.match(rows.map(({ detail }) => detail).join(), /COVERING INDEX tests_searched/)
  })
})
