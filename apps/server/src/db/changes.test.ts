import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Topic, toTopic } from './changes.ts'
import { type OpenDatabase, openDatabase } from './open.ts'
import { fillOneBuild } from '../testing/fill-one-build.ts'

describe('changes of the embedded database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-changes-'))
  let opened: OpenDatabase

  before(async () => {
    opened = await openDatabase({ databaseUrl: null, dataDir })
  })
  after(async () => {
    await opened.db.destroy()
    rmSync(dataDir, { recursive: true })
  })

  const isChanged = async (topic: Topic, run: () => Promise<unknown>): Promise<boolean> => {
    const { changes } = opened.memo
    assert.ok(changes)
    const since = changes.now()
    await run()
    return !changes.areUnchanged([topic], since)
  }

  it('are reported by every statement that changes a row, and by cascades', async () => {
    const { db } = opened
    const { applicationId, buildId, groupId } = await fillOneBuild(db)
    const build = toTopic('build', buildId)
    const buildsOf = toTopic('buildsOf', applicationId)
    const give = () =>
      db.insertInto('build_groups').values({ build_id: buildId, group_id: groupId, distributed_at: 1 }).execute()
    assert.equal(await isChanged(build, give), true)
    const rename = () => db.updateTable('distribution_groups').set({ name: 'New' }).where('id', '=', groupId).execute()
    assert.equal(await isChanged(toTopic('groups'), rename), true)
    const deleteGroup = () => db.deleteFrom('distribution_groups').where('id', '=', groupId).execute()
    assert.equal(await isChanged(build, deleteGroup), true)
    const note = () => db.updateTable('builds').set({ release_notes: 'Faster' }).where('id', '=', buildId).execute()
    assert.equal(await isChanged(buildsOf, note), true)
    const deleteAll = () => db.deleteFrom('applications').where('id', '=', applicationId).execute()
    assert.equal(await isChanged(build, deleteAll), true)
  })

  it('are not an update that changes nothing, nor one of another row', async () => {
    const { db } = opened
    const { applicationId, buildId } = await fillOneBuild(db)
    const lock = () =>
      db
        .updateTable('applications')
        .set((update) => ({ name: update.ref('name') }))
        .where('id', '=', applicationId)
        .execute()
    assert.equal(await isChanged(toTopic('application', applicationId), lock), false)
    const other = () => fillOneBuild(db)
    assert.equal(await isChanged(toTopic('build', buildId), other), false)
    assert.equal(await isChanged(toTopic('application', applicationId), other), false)
  })

  it('are all rows when another connection has written, from the next write on', async () => {
    const { db } = opened
    const { buildId } = await fillOneBuild(db)
    const { db: other } = await openDatabase({ databaseUrl: null, dataDir })
    const both = async () => {
      await other.updateTable('builds').set({ release_notes: 'Other' }).where('id', '=', buildId).execute()
      await fillOneBuild(db)
    }
    assert.equal(await isChanged(toTopic('build', buildId), both), true)
    await other.destroy()
  })

  it('are recorded again when they are committed, so that nothing read before lasts', async () => {
    const { db, memo } = opened
    const { buildId } = await fillOneBuild(db)
    const readNotes = () =>
      memo.remember(
        `notes of ${buildId}`,
        async () => db.selectFrom('builds').select('release_notes').where('id', '=', buildId).executeTakeFirstOrThrow(),
        { topics: () => [toTopic('build', buildId)] },
      )
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('builds').set({ release_notes: 'Faster' }).where('id', '=', buildId).execute()
      assert.equal((await readNotes()).release_notes, null)
    })
    assert.equal((await readNotes()).release_notes, 'Faster')
  })

  it('are all that a transaction read of itself when it is rolled back', async () => {
    const { db, memo } = opened
    const { buildId } = await fillOneBuild(db)
    const topics = () => [toTopic('build', buildId)]
    const readNotes = (from = db) =>
      memo.remember(
        'notes',
        async () => (await from.selectFrom('builds').select('release_notes').where('id', '=', buildId).execute())[0],
        { topics },
      )
    const failing = db.transaction().execute(async (trx) => {
      await trx.updateTable('builds').set({ release_notes: 'never' }).where('id', '=', buildId).execute()
      assert.equal((await readNotes(trx))?.release_notes, 'never')
      throw new Error('rolled back')
    })
    await assert.rejects(failing, /rolled back/)
    assert.equal((await readNotes())?.release_notes, null)
  })
})
