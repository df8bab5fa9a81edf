import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createClient, type RequestError } from '../src/index.ts'
import { answer, startScriptedServer } from './scripted-server.ts'

const run = promisify(execFile)
const source = join(import.meta.dirname, '../src/index.ts')

describe('the client in Node', () => {
  it('sends JSON with its length in bytes, and reads the headers of the answer', async () => {
    await using server = await startScriptedServer(answer(200, [{ id: 1 }], { 'X-Total-Count': '7' }))
    const client = createClient({ baseUrl: server.url })
    await client.applications.create({ name: 'Tester ü 🚀', alias: 'shop', platform: 'ios' })
    const sent: { name: string } = JSON.parse(server.seen[0]?.body.toString() ?? '')
    assert.equal(sent.name, 'Tester ü 🚀')
    const page = await client.builds.listPage(1, { limit: 1 })
    assert.deepEqual([page.items, page.total], [[{ id: 1 }], 7])
  })

  it('says that an answer which is not JSON does not come from a Fairlead server', async () => {
    await using server = await startScriptedServer(answer(200, '<!doctype html><title>Sign in</title>'))
    const { applications, builds } = createClient({ baseUrl: server.url })
    const file = new Blob(['bytes'])
    for (const call of [
      () => applications.list(),
      () => builds.listPage(1, { limit: 1 }),
      () => builds.upload({ alias: 'shop', file }),
    ]) {
      await assert.rejects(call, (error: RequestError) => {
        assert.deepEqual([error.name, error.title], ['RequestError', 'Not a Fairlead server'])
        return true
      })
    }
  })

  it('names the address that a server redirects to, and sends no token there', async () => {
    await using other = await startScriptedServer(answer(200, []))
    await using server = await startScriptedServer(answer(301, '', { Location: `${other.url}/v1/applications` }))
    const client = createClient({ baseUrl: server.url, token: 'fl_secret' })
    await assert.rejects(client.applications.list(), { httpStatus: 301, title: 'Redirect' })
    assert.equal(other.seen.length, 0)
  })

  it('ends with the reason of the signal while it waits for an answer', async () => {
    await using server = await startScriptedServer(() => stopping.abort(new Error('enough')))
    const stopping = new AbortController()
    const client = createClient({ baseUrl: server.url })
    await assert.rejects(client.applications.list({ signal: stopping.signal }), /enough/)
  })

  it('does not load fetch, which takes longer than everything else of a short program', async () => {
    await using server = await startScriptedServer(answer(200, []))
    const program = `
      import { createClient } from ${JSON.stringify(source)}
      await createClient({ baseUrl: ${JSON.stringify(server.url)} }).applications.list()
      console.log(process.moduleLoadList.filter((name) => name.includes('undici')).length)
    `
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
    assert.equal(stdout, '0\n')
  })
})
