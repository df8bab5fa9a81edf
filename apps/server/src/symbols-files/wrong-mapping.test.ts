/** A mapping of another build gives wrong names, until it is deleted or the right one is sent. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createCrashApplication, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'

const right = 'org.shop.Cart -> a.b:\n    1:3:void load():5:7 -> c\n'
const wrong = 'org.shop.Wrong -> a.b:\n    1:3:void miss():8:10 -> c\n'
const trace = 'java.lang.IllegalStateException: closed\n\tat a.b.c(SourceFile:2)\n'

describe('crashes that a wrong mapping has named', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const openCrash = async (alias: string) => {
    const app = await createCrashApplication(server, alias)
    const release = { 'X-Service-Version': '7', 'X-Service-Short-Version': '1.2' }
    const headers = { ...release, 'X-Service-Crash-Key': app.key }
    const sent = await server.call('POST', `/v1/applications/${app.id}/crashes`, { headers, body: Buffer.from(trace) })
    assert.equal(sent.status, 202, sent.text)
    const upload = async (mapping: string) => {
      const { status, text } = await server.call('POST', '/v2/symbolsFiles', {
        headers: {
          'X-Service-Application-Alias': alias,
          'X-Service-Package': 'org.shop',
          'X-Service-Version-Name': '1.2',
          'X-Service-Version-Code': '7',
        },
        body: Buffer.from(mapping),
      })
      assert.equal(status, 201, text)
    }
    const list = async () => (await server.call('GET', `/v1/applications/${app.id}/symbolsFiles`)).json
    const readCulprits = async () => {
      await waitUntilRead(server, app.id)
      const { json: groups } = await server.call('GET', `/v1/applications/${app.id}/crashGroups`)
      return groups.map(({ culprit }: { culprit: string }) => culprit)
    }
    return { upload, list, readCulprits }
  }

  it('are read again when it is deleted, and when another comes', async () => {
    const { upload, list, readCulprits } = await openCrash('deleted-mapping')
    await upload(wrong)
    assert.deepEqual(await readCulprits(), ['org.shop.Wrong.miss'])
    const [file] = await list()
    assert.equal((await server.call('DELETE', `/v1/symbolsFiles/${file.id}`)).status, 204)
    assert.deepEqual(await readCulprits(), ['a.b.c'])
    await upload(right)
    assert.deepEqual(await readCulprits(), ['org.shop.Cart.load'])
  })

  it('are read again when the mapping that it replaced is sent once more', async () => {
    const { upload, list, readCulprits } = await openCrash('mapping-sent-again')
    for (const [mapping, culprit, count] of [
      [right, 'org.shop.Cart.load', 1],
      [wrong, 'org.shop.Wrong.miss', 2],
      [right, 'org.shop.Cart.load', 3],
      // A job of CI that runs twice changes nothing.
      [right, 'org.shop.Cart.load', 3],
    ] as const) {
      await upload(mapping)
      assert.deepEqual([await readCulprits(), (await list()).length], [[culprit], count])
    }
  })
})
