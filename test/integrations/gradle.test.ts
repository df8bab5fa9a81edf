/** Builds the Gradle plug-in with Debian's Gradle and uploads with it, by the real command line, to a real server. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { type Desk, openDesk } from '../cli/fairlead.ts'
import { token } from '../processes/server-process.ts'

const root = join(import.meta.dirname, '../..')
/** A build ends before the time that the best compiler and collector take would pay. */
const quickStart = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'

describe('the Gradle plug-in', { timeout: 300_000, skip: findObstacle() }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
    await desk.json('groups', 'create', 'QA')
    await writeFile(join(desk.folder, 'app.apk'), writeApk({ packageName: 'com.example.shop' }))
    await cp(join(root, 'integrations/gradle'), join(desk.folder, 'buildSrc'), { recursive: true })
    await writeFile(join(desk.folder, 'settings.gradle'), "rootProject.name = 'shop'\n")
    const command = JSON.stringify([process.execPath, join(root, 'apps/cli/src/bin.ts')]).replaceAll('"', "'")
    const script = [
      "apply plugin: 'dev.fairlead'",
      `fairlead { app = 'shop'; groups = ['QA']; command = ${command} }`,
      "task uploadRelease(type: FairleadUpload) { file = 'app.apk'; notes = 'Faster' }",
      "task uploadMissing(type: FairleadUpload) { file = 'none.apk' }",
      'task uploadNothing(type: FairleadUpload)',
    ]
    await writeFile(join(desk.folder, 'build.gradle'), script.join('\n'))
  })
  after(() => desk[Symbol.asyncDispose]())
  const gradle = (...tasks: string[]) => {
    const home = join(desk.folder, '.gradle-home')
    const options = ['--offline', '--no-daemon', '--continue', '--gradle-user-home', home]
    return spawnSync('gradle', [...options, `-Dorg.gradle.jvmargs=${quickStart}`, ...tasks], {
      cwd: desk.folder,
      encoding: 'utf8',
      env: { ...process.env, GRADLE_OPTS: quickStart, FAIRLEAD_URL: desk.server.url, FAIRLEAD_TOKEN: token },
    })
  }

  it('uploads a build with its notes to groups', async () => {
    const { status, stdout, stderr } = gradle('uploadRelease')
    assert.equal(status, 0, stdout + stderr)
    assert.match(stdout, /Install +http/)
    const [build] = await desk.json('builds', 'list', '--app', 'shop')
    assert.deepEqual([build.distributionGroups[0].name, build.releaseNotes], ['QA', 'Faster'])
  })

  it('fails the build when there is no file', () => {
    // A second start would take as long as the first.
    const { status, stdout, stderr } = gradle('uploadMissing', 'uploadNothing')
    assert.notEqual(status, 0)
    assert.match(stderr, /none\.apk/)
    for (const task of ['uploadMissing', 'uploadNothing']) assert.match(stdout + stderr, new RegExp(`:${task} FAILED`))
  })
})

function findObstacle(): string | false {
  const missing = spawnSync('gradle', ['--version']).status === 0 ? false : "Debian's gradle"
  if (missing !== false) assert.notEqual(process.env['CI'], 'true', `nothing may be left out here: ${missing}`)
  return missing
}
