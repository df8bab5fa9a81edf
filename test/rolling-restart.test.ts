/** Replicas restarted one after the other behind nginx while clients go on. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startLoad } from './processes/mixed-load.ts'
import { type ReplicaSet, startReplicas } from './processes/replica-set.ts'

describe('a rolling restart', () => {
  const opened = new AsyncDisposableStack()
  let set: ReplicaSet | undefined

  before(async () => {
    set = await startReplicas(3, {})
    if (set) opened.use(set)
  })
  after(() => opened.disposeAsync())

  it('fails no request and cuts no upload', async (context) => {
    if (!set) {
      assert.notEqual(process.env.CI, 'true', 'nothing may be left out here, and PostgreSQL, Ceph or nginx is missing')
      context.skip('needs PostgreSQL, Ceph and nginx')
      return
    }
    const load = await startLoad(set.url, { clients: 6, seed: 1, testers: ['ada@example.com'] })
    for (let index = 0; index < set.size; index++) {
      assert.equal(await set.restart(index, 'SIGTERM'), 0, 'a replica did not end as it should')
    }
    await load.stop()
    const { statuses, faults } = load.ledger
    context.diagnostic([...statuses].map(([key, count]) => `${key}: ${count}`).join(', '))
    assert.deepEqual(faults, [])
    // The load tries again after these, but nobody should have to.
    const failed = [...statuses.keys()].filter((key) => !/ (2\d\d|404)$/.test(key))
    assert.deepEqual(failed, [])
  })
})
