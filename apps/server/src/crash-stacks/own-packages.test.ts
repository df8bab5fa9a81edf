/** Builds name packages of the app's own code, which decides whose frames are. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { writeDex } from '@fairlead/binary/fixture'
import { createCrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { uploadApk } from '../testing/upload.ts'

describe('the packages that a build names', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())
  const config = 'com.facebook.react.shop.BuildConfig'
  const dex = writeDex({ classes: [config, 'com.facebook.react.shop.Cart'], withApplicationId: [config] })
  const files = [{ name: 'classes.dex', data: dex, deflate: true }]

  const send = async (id: number, key: string, method: string) => {
    const own = { module: 'com.facebook.react.shop.Cart', function: method, lineno: 7 }
    const library = { module: 'com.facebook.react.bridge.JavaMethodWrapper', function: 'invoke', lineno: 8 }
    const exception = { values: [{ type: 'Gone', module: 'org.shop', stacktrace: { frames: [own, library] } }] }
    const body = JSON.stringify({ platform: 'java', level: 'fatal', exception })
    assert.equal((await deliver(server, { id, key, sentryDsn: '' }, 'sentry-store', body)).status, 200)
    await waitUntilRead(server, id)
  }
  const listCulprits = async (id: number) => {
    const { json } = await server.call('GET', `/v1/applications/${id}/crashGroups`)
    return json.map(({ culprit }: { culprit: string }) => culprit).toSorted()
  }
  const known = ['com.facebook.react.shop.Cart.load', 'com.facebook.react.shop.Cart.pay']

  it('are the own code of crashes that come after it', async () => {
    const app = await createCrashApplication(server, 'after')
    await uploadApk(server, { alias: 'after', apk: { packageName: 'org.shop.after', files } })
    for (const method of ['load', 'pay']) await send(app.id, app.key, method)
    assert.deepEqual(await listCulprits(app.id), known)
  })

  it('move the crashes that came before it to other groups', async () => {
    const app = await createCrashApplication(server, 'before')
    for (const method of ['load', 'pay']) await send(app.id, app.key, method)
    const library = 'com.facebook.react.bridge.JavaMethodWrapper.invoke'
    assert.deepEqual(await listCulprits(app.id), [library, library])
    await uploadApk(server, { alias: 'before', apk: { packageName: 'org.shop.before', files } })
    await waitUntilRead(server, app.id)
    assert.deepEqual(await listCulprits(app.id), known)
  })

  it('change nothing for other applications', async () => {
    const app = await createCrashApplication(server, 'other')
    await send(app.id, app.key, 'load')
    assert.deepEqual(await listCulprits(app.id), ['com.facebook.react.bridge.JavaMethodWrapper.invoke'])
  })
})
