import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { type Desk, openDesk } from './fairlead.ts'
import { readJson } from '../../scripts/read-json.ts'

interface Moved {
  taken: number
  there: number
  left: number
  items: { kind: string; outcome: string; note: string; path: string }[]
}

describe('fairlead import', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.json('groups', 'create', 'Collaborators')
  })
  after(() => desk[Symbol.asyncDispose]())

  async function put(path: string, content: string | Buffer): Promise<void> {
    await mkdir(dirname(join(desk.folder, path)), { recursive: true })
    await writeFile(join(desk.folder, path), content)
  }

  const listBuilds = async (alias: string) =>
    await desk.json<
      {
        version: string
        releaseNotes: string | null
        source: { branch: string | null; commit: string | null } | null
        distributionGroups: { name: string }[]
      }[]
    >('builds', 'list', '--app', alias)

  it('takes over releases of App Center in their order, with notes, branch and groups', async () => {
    const builds = [1, 2].map((versionCode) =>
      writeApk({ packageName: 'com.example.shop', versionName: '1.0', versionCode }),
    )
    const releases = builds.map((bytes, index) => ({
      id: index + 1,
      short_version: '1.0',
      version: String(index + 1),
      bundle_identifier: 'com.example.shop',
      fingerprint: createHash('md5').update(bytes).digest('hex'),
      release_notes: `Notes of ${index + 1}`,
      uploaded_at: `2024-0${index + 1}-01T00:00:00.000Z`,
      distribution_groups: [{ id: 'x', name: 'Collaborators' }],
      build: { branch_name: 'main', commit_hash: 'c0ffee' },
    }))
    // The file of the newer build comes first by name, so that sorting by name would give the wrong order.
    for (const [index, bytes] of builds.entries()) await put(`appcenter/${9 - index}.apk`, bytes)
    await put('appcenter/releases.json', JSON.stringify({ releases }))
    await put('appcenter/mapping.txt', 'a.b.C -> a:\n')
    const plan = await desk.fairlead(['import', 'appcenter', 'appcenter', '--dry-run', '--json'])
    assert.equal(plan.code, 8)
    assert.match(plan.stdout, /--create-apps makes one/)

    const args = ['import', 'appcenter', 'appcenter', '--create-apps', '--distribute', '--json']
    const { code, stdout, stderr } = await desk.fairlead(args)
    const moved = readJson<Moved>(stdout)
    assert.deepEqual([moved.taken, moved.there, moved.left], [2, 0, 1], stderr)
    assert.equal(code, 8, 'one mapping lies beside two APKs')
    const [newest, oldest] = await listBuilds('shop')
    assert.deepEqual([newest?.version, oldest?.version], ['2', '1'])
    assert.equal(newest?.releaseNotes, 'Notes of 2')
    assert.deepEqual([newest.source?.branch, newest.source?.commit], ['main', 'c0ffee'])
    assert.deepEqual(
      newest.distributionGroups.map(({ name }) => name),
      ['Collaborators'],
    )
    const again = readJson<Moved>((await desk.fairlead(args)).stdout)
    assert.deepEqual([again.taken, again.there], [0, 2])
    assert.equal((await listBuilds('shop')).length, 2)
  })

  it('takes over the uploads of Zealot', async () => {
    const bytes = writeApk({ packageName: 'com.example.zealous', versionName: '3.1', versionCode: 7 })
    await put('zealot/public/uploads/apps/a1/r5/binary/0123.apk', bytes)
    const release = {
      version: 5,
      app_name: 'Zealous',
      bundle_id: 'com.example.zealous',
      release_version: '3.1',
      build_version: '7',
      branch: 'develop',
      git_commit: 'beef',
      ci_url: 'https://ci.example/7',
      changelog: [{ message: 'Faster' }, { message: 'Smaller' }],
      created_at: '2024-05-01T10:00:00.000Z',
    }
    await put('zealot/versions.json', JSON.stringify([{ name: 'Android', releases: [release] }]))
    const moved = await desk.json<Moved>('import', 'zealot', 'zealot', '--create-apps')
    assert.deepEqual([moved.taken, moved.left], [1, 0])
    const [build] = await listBuilds('zealous')
    assert.equal(build?.releaseNotes, '- Faster\n- Smaller')
    assert.equal(build.source?.branch, 'develop')
  })

  it('takes over a folder, and names each file that it leaves with the reason', async () => {
    await put('folder/2.0/app.apk', writeApk({ packageName: 'com.example.plain', versionName: '2.0', versionCode: 20 }))
    await put('folder/2.0/app.md', 'Plain notes')
    await put('folder/2.0/mapping.txt', 'a.b.C -> a:\n    int d -> e\n')
    await put('folder/broken.ipa', 'not a zip')
    const { code, stdout } = await desk.fairlead(['import', 'folder', 'folder', '--create-apps', '--json'])
    const moved = readJson<Moved>(stdout)
    assert.equal(code, 8)
    assert.deepEqual(
      moved.items.map(({ kind, outcome }) => [kind, outcome]),
      [
        ['build', 'left'],
        ['build', 'taken'],
        ['symbols', 'taken'],
      ],
    )
    assert.match(moved.items[0]?.note ?? '', /not a zip/)
    assert.equal((await listBuilds('plain'))[0]?.releaseNotes, 'Plain notes')
  })
})
