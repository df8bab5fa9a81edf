import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { writeApk } from '@fairlead/binary/fixture'
import { createClient } from '@fairlead/client'
import { openTemporaryFolder, startServerProcess, token } from '../processes/server-process.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

describe('the README of the client', () => {
  it('has an example that uploads a build and distributes it', async () => {
    await using data = await openTemporaryFolder()
    await using folder = await openTemporaryFolder()
    await using server = await startServerProcess({ dataDir: data.path })
    const client = createClient({ baseUrl: server.url, token })
    await client.applications.create({ name: 'Shop', alias: 'shop', platform: 'android' })
    await client.groups.create({ name: 'QA' })
    const readme = await readFile(join(root, 'packages/client/README.md'), 'utf8')
    const example = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? assert.fail('the README has no example')
    await mkdir(join(folder.path, 'node_modules/@fairlead'), { recursive: true })
    await symlink(join(root, 'packages/client'), join(folder.path, 'node_modules/@fairlead/client'))
    await writeFile(join(folder.path, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder.path, 'example.ts'), example)
    await writeFile(join(folder.path, 'app-release.apk'), writeApk({ packageName: 'com.example.shop' }))
    const env = { PATH: process.env.PATH, FAIRLEAD_URL: server.url, FAIRLEAD_TOKEN: token }
    const { stdout } = await run(process.execPath, ['example.ts'], { cwd: folder.path, env })
    assert.match(stdout, /^http:\/\/.*\/install\/\S+\n$/)
    const [application] = await client.applications.list()
    const [build] = await client.builds.list(application?.id ?? 0)
    assert.deepEqual(
      build?.distributionGroups.map(({ name }) => name),
      ['QA'],
    )
  })
})
