import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openEventStream } from '../testing/event-stream.ts'
import { type Replicas, startReplicas } from '../testing/replicas.ts'
import { call } from '../testing/start-server.ts'

/** Over PostgreSQL three servers share a database; the embedded one has a single server. */
describe('events of replicas', { timeout: 480_000 }, () => {
  let replicas: Replicas
  const create = async (index: number, alias: string) => {
    const { urls } = replicas
    const answer = await call(urls[index % urls.length] ?? '', 'POST', '/v1/applications', {
      json: { name: alias, alias, platform: 'android' },
    })
    assert.equal(answer.status, 201, answer.text)
    const { id }: { id: number } = answer.json
    return id
  }
  const open = (index: number, headers?: Record<string, string>) =>
    openEventStream(replicas.urls[index % replicas.urls.length] ?? '', headers && { headers })
  const names = (id: number) => (event: { type: string; data: { ids?: number[] | null } }) =>
    event.type === 'change' && event.data.ids?.includes(id) === true

  before(async () => {
    replicas = await startReplicas()
  })
  after(() => replicas[Symbol.asyncDispose]())

  it('reach the clients of every server', async () => {
    const streams = await Promise.all([open(0), open(1), open(2)])
    const id = await create(0, 'everywhere')
    await Promise.all(streams.map((stream) => stream.next(names(id))))
    for (const stream of streams) stream.close()
  })

  it('go on at another server after the id of the first', async () => {
    const first = await open(0)
    const before = await create(1, 'before')
    await first.next(names(before))
    first.close()
    const missed = await create(2, 'missed')
    const second = await open(1, { 'Last-Event-ID': first.lastId() })
    await second.next(names(missed))
    assert.doesNotMatch(second.text(), /refresh/)
    second.close()
  })

  it('tell a client of a server that was restarted to refresh', async () => {
    const first = await open(0)
    const id = await create(0, 'earlier')
    await first.next(names(id))
    first.close()
    await replicas.restart(0)
    const second = await open(0, { 'Last-Event-ID': first.lastId() })
    await second.next(({ type }) => type === 'refresh')
    second.close()
  })

  it('come again after the connections to the database were lost, with the word to refresh', async () => {
    // The embedded database has no connections to lose.
    if (process.env.FAIRLEAD_TEST_DATABASE_URL === undefined) return
    const streams = await Promise.all([open(0), open(1)])
    await replicas.cutConnections()
    await Promise.all(streams.map((stream) => stream.next(({ type }) => type === 'refresh')))
    const id = await create(0, 'afterwards')
    await Promise.all(streams.map((stream) => stream.next(names(id))))
    for (const stream of streams) stream.close()
  })
})
