import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fastify from 'fastify'
import { pino } from 'pino'
import type { App } from '../http/app.ts'
import { keepAssets, openKeptAssets } from './kept-assets.ts'
import { addDashboardRoutes } from './routes.ts'

const log = pino({ level: 'silent' })
const hour = 60 * 60 * 1000

describe('the scripts of the dashboard before an upgrade', () => {
  let parent: string
  let folder: string

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'fairlead-kept-'))
    folder = join(parent, 'kept')
  })
  after(() => rm(parent, { recursive: true }))

  async function build(name: string): Promise<string> {
    const root = join(parent, `dist-${name}`)
    await mkdir(join(root, 'assets'), { recursive: true })
    await writeFile(join(root, 'index.html'), `<script src="/assets/${name}.js"></script>`)
    await writeFile(join(root, 'assets', `${name}.js`), `// ${name}`)
    return root
  }

  it('are served for a day, to tabs that were open during the upgrade', async () => {
    const first = await build('first')
    await openKeptAssets(first, folder, 0)
    await keepAssets(first, folder)
    const second = await build('second')
    const start = Date.now()
    await using app = await openApp(second)
    assert.equal((await app.inject('/assets/second.js')).body, '// second')
    const earlier = await app.inject('/assets/first.js')
    assert.equal(earlier.body, '// first')
    assert.match(String(earlier.headers['content-type']), /javascript/)
    assert.equal((await app.inject('/assets/third.js')).statusCode, 404)
    for (const path of ['/assets/ended', '/assets/../ended', '/assets/..%2fended', '/assets/']) {
      assert.notEqual((await app.inject(path)).statusCode, 200, path)
    }
    await keepAssets(second, folder)
    assert.ok((await openKeptAssets(second, folder, start + 23 * hour))('first.js'))
    assert.equal((await openKeptAssets(second, folder, start + 25 * hour))('first.js'), undefined)
  })

  it('are kept again for a day when an upgrade is taken back, and five versions at most', async () => {
    const roots = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(build))
    for (const [index, root] of roots.entries()) {
      await openKeptAssets(root, folder, index)
      await keepAssets(root, folder)
    }
    const [oldest, , , , , , newest] = roots
    assert.ok(oldest !== undefined && newest !== undefined)
    const find = await openKeptAssets(newest, folder, 10)
    assert.deepEqual(
      ['a.js', 'b.js', 'c.js', 'f.js'].map((name) => find(name) !== undefined),
      [false, true, true, true],
    )
    const again = await openKeptAssets(oldest, folder, 20)
    assert.ok(again('g.js'))
  })

  it('are not needed for a start: a folder that cannot be made is a warning', async () => {
    const root = await build('only')
    await writeFile(join(parent, 'file'), '')
    await using app = await openApp(root, join(parent, 'file', 'kept'))
    assert.equal((await app.inject('/assets/only.js')).statusCode, 200)
    assert.equal((await app.inject('/assets/other.js')).statusCode, 404)
  })

  it('survive a copy that was cut off, which is deleted an hour later', async () => {
    const root = await build('whole')
    const copy = join(folder, '.0123456789abcdef-1')
    await mkdir(copy, { recursive: true })
    await openKeptAssets(root, folder)
    assert.ok(existsSync(copy))
    await openKeptAssets(root, folder, Date.now() + 2 * hour)
    assert.ok(!existsSync(copy))
  })

  async function openApp(root: string, keptIn = folder) {
    const app = fastify()
    void app.register(async (pages) => addDashboardRoutes(pages as App, { root, kept: { folder: keptIn, log } }))
    await app.ready()
    return Object.assign(app, { [Symbol.asyncDispose]: () => app.close() })
  }
})
