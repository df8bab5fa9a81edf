/** What a crash of the version that was to resolve a group means, where its builds are known. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createCrashApplication, type CrashApplication, deliver, waitUntilRead } from '../testing/crashes.ts'
import { startServer } from '../testing/start-server.ts'
import { uploadApk } from '../testing/upload.ts'

describe('a group that is resolved in a version of several builds', async () => {
  const server = await startServer()
  after(() => server[Symbol.asyncDispose]())

  const crash = async (app: CrashApplication, release: string) => {
    const frames = [{ module: 'org.shop.Wallet', function: 'pay', lineno: 7 }]
    const exception = { values: [{ type: 'Gone', module: 'org.shop', stacktrace: { frames } }] }
    const event = { platform: 'java', level: 'fatal', release: `org.shop@${release}`, exception }
    assert.equal((await deliver(server, app, 'sentry-store', JSON.stringify(event))).status, 200)
    await waitUntilRead(server, app.id)
    const { json } = await server.call('GET', `/v1/applications/${app.id}/crashGroups`)
    assert.equal(json.length, 1)
    return json[0]
  }
  const upload = (alias: string, versionName: string, versionCode: number) =>
    uploadApk(server, { alias, apk: { packageName: `org.shop.${alias}`, versionName, versionCode } })
  const resolve = async (id: number, resolvedInVersion: string) => {
    const answer = await server.call('PATCH', `/v1/crashGroups/${id}`, { json: { resolvedInVersion } })
    assert.equal(answer.status, 200, answer.text)
  }
  const toState = ({ status, isStillCrashing, isRegressed }: Record<string, unknown>) => [
    status,
    isStillCrashing,
    isRegressed,
  ]
  const stillCrashing = ['resolved', true, false]

  it('says that the build with the fix still crashes, and opens for a build that was made after it', async () => {
    const app = await createCrashApplication(server, 'known')
    const { id } = await crash(app, '1.9+9')
    await upload('known', '1.10', 10)
    await upload('known', '1.10', 11)
    await resolve(id, '1.10')
    assert.deepEqual(toState(await crash(app, '1.10+10')), stillCrashing)
    assert.deepEqual(toState(await crash(app, '1.10+11')), stillCrashing)
    await upload('known', '1.10', 12)
    assert.deepEqual(toState(await crash(app, '1.10+11')), stillCrashing)
    assert.deepEqual(toState(await crash(app, '1.10+12')), ['open', false, true])
  })

  it('takes the first build of the version for the one with the fix if there was none', async () => {
    const app = await createCrashApplication(server, 'later')
    const { id } = await crash(app, '1.9+9')
    await resolve(id, '1.10')
    await upload('later', '1.10', 10)
    assert.deepEqual(toState(await crash(app, '1.10+10')), stillCrashing)
    // Nobody knows when this build was made.
    assert.deepEqual(toState(await crash(app, '1.10+11')), stillCrashing)
    await upload('later', '1.10', 11)
    assert.deepEqual(toState(await crash(app, '1.10+11')), ['open', false, true])
  })

  it('that is resolved again counts from the builds of that time', async () => {
    const app = await createCrashApplication(server, 'again')
    const { id } = await crash(app, '1.9+9')
    await upload('again', '1.10', 10)
    await resolve(id, '1.10')
    await upload('again', '1.10', 11)
    assert.deepEqual(toState(await crash(app, '1.10+11')), ['open', false, true])
    await resolve(id, '1.10')
    assert.deepEqual(toState(await crash(app, '1.10+11')), stillCrashing)
    await upload('again', '1.10', 12)
    assert.deepEqual(toState(await crash(app, '1.10+12')), ['open', false, true])
  })
})
