import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readJson } from '../../scripts/read-json.ts'
import { type Desk, openDesk, type RunOptions } from './fairlead.ts'

const shards = 8

/**
 * A suite of 400 files whose durations are those of the tests of this repository, as `npm test -- --record` measured
 * them, each taken several times with some change.
 */
async function readSuite(): Promise<Map<string, number>> {
  const text = await readFile(join(import.meta.dirname, '../../scripts/test-seconds.json'), 'utf8')
  const measured = Object.values(readJson<Record<string, number>>(text))
  const at = (index: number) => measured[index % measured.length] ?? assert.fail('nothing was measured')
  return new Map(
    Array.from({ length: 400 }, (_, index) => [
      `src/test/kotlin/shop/area${index % 7}/Case${index}Test.kt`,
      Math.round(at(index) * (100 + ((index * 37) % 50)) * 10) / 1000,
    ]),
  )
}

describe('fairlead tests split', { timeout: 300_000 }, () => {
  let desk: Desk
  let suite: Map<string, number>
  const split = (words: string[], options?: RunOptions) =>
    desk.fairlead(['tests', 'split', '--app', 'shop', ...words], options)
  const put = async (path: string, text = '') => {
    await mkdir(dirname(join(desk.folder, path)), { recursive: true })
    await writeFile(join(desk.folder, path), text)
  }
  const upload = async (times: Iterable<[path: string, seconds: number]>) => {
    const cases = Array.from(times, ([path, seconds]) => {
      const name = path.replace('src/test/kotlin/', '').replace('.kt', '').replaceAll('/', '.')
      return `<testcase classname="${name}" name="works" time="${seconds}"/>`
    })
    await put('report.xml', `<testsuite name="unit">${cases.join('')}</testsuite>`)
    await desk.json('tests', 'upload', 'report.xml', '--app', 'shop', '--complete')
  }
  before(async () => {
    desk = await openDesk()
    suite = await readSuite()
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
    for (const path of suite.keys()) await put(path)
    await upload(suite)
  })
  after(() => desk[Symbol.asyncDispose]())

  const pattern = 'src/test/**/*Test.kt'

  it('deals 400 files to 8 shards within 5 % of the best packing, each file once', async () => {
    const dealt: string[][] = []
    for (let index = 1; index <= shards; index++) {
      const { code, stdout, stderr } = await split([
        '--shards',
        '8',
        '--index',
        String(index),
        '--run-key',
        'a',
        pattern,
      ])
      assert.equal(code, 0, stderr)
      dealt.push(stdout.trim().split('\n'))
    }
    assert.deepEqual(dealt.flat().toSorted(), [...suite.keys()].toSorted())
    const sum = (paths: Iterable<string>) => Array.from(paths, (path) => suite.get(path) ?? NaN).reduce((a, b) => a + b)
    // No packing can be shorter than the mean, nor than the longest file.
    const best = Math.max(sum(suite.keys()) / shards, ...suite.values())
    const longest = Math.max(...dealt.map(sum))
    assert.ok(longest <= best * 1.05, `${longest} s, and ${best} s at best`)
  })

  it('gives a new file the median, and the same files to all shards although another run completes', async () => {
    const first = await split(['--shards', '2', '--index', '1', '--run-key', 'b', pattern])
    await upload([...suite].map(([path, seconds]) => [path, path.includes('area3') ? seconds * 900 : 0.1]))
    const second = await split(['--shards', '2', '--index', '2', '--run-key', 'b', pattern])
    const all = [...first.stdout.trim().split('\n'), ...second.stdout.trim().split('\n')]
    assert.deepEqual(all.toSorted(), [...suite.keys()].toSorted())
    await put('src/test/kotlin/shop/area0/NewTest.kt')
    const dealt = await Promise.all(
      ['1', '2'].map(async (index) => {
        const { stdout } = await split(['--shards', '2', '--index', index, '--run-key', 'b', '--json', pattern])
        return readJson<{ newFiles: string[]; files: string[]; shards: { files: number; durationMs: number }[] }>(
          stdout,
        )
      }),
    )
    const [one, two] = dealt
    assert.deepEqual(one?.shards, two?.shards, 'both shards know the same of all')
    assert.equal(
      one?.shards.reduce((sum, shard) => sum + shard.files, 0),
      401,
    )
    const newFile = 'src/test/kotlin/shop/area0/NewTest.kt'
    assert.deepEqual(dealt.flatMap(({ files }) => files).toSorted(), [...suite.keys(), newFile].toSorted())
    assert.deepEqual(
      dealt.flatMap(({ newFiles }) => newFiles),
      [newFile],
    )
  })

  it('takes shard and key from the CI service, and refuses a shard that does not exist', async () => {
    const env = { CIRCLECI: 'true', CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '4', CIRCLE_WORKFLOW_ID: 'w1' }
    const { code, stderr } = await split([pattern], { env })
    assert.deepEqual([code, /^Shard 2 of 4: \d+ of 401 files/m.test(stderr)], [0, true], stderr)
    assert.equal((await split([pattern])).code, 2)
    for (const [count, index] of [
      ['4', '5'],
      ['4', '0'],
      ['0', '1'],
      ['1001', '1'],
      ['2.5', '1'],
    ] as const) {
      assert.equal((await split(['--shards', count, '--index', index, pattern])).code, 2)
    }
    assert.equal((await split(['--shards', '2', '--index', '1', 'none/*.kt'])).code, 5)
    assert.equal(
      (await desk.fairlead(['tests', 'split', '--app', 'no', '--shards', '2', '--index', '1', pattern])).code,
      5,
    )
  })

  it('uses the kept answer for the same run when the server is away, and that of a file with --offline', async () => {
    const away = { env: { FAIRLEAD_URL: 'http://127.0.0.1:1' } }
    const words = ['--shards', '3', '--index', '2', '--cache', 'durations.json', pattern]
    const online = await split([...words, '--run-key', 'c'])
    assert.equal(online.code, 0, online.stderr)
    const same = await split([...words, '--run-key', 'c'], away)
    assert.deepEqual([same.code, same.stdout], [0, online.stdout], same.stderr)
    assert.match(same.stderr, /the server does not answer/)
    const other = await split([...words, '--run-key', 'd'], away)
    assert.deepEqual([other.code, other.stdout], [7, ''])
    const offline = await split([...words, '--run-key', 'd', '--offline'], away)
    assert.deepEqual([offline.code, offline.stdout], [0, online.stdout], offline.stderr)
    assert.equal((await split([...words.slice(0, 4), '--cache', 'none.json', '--offline', pattern])).code, 5)
    await put('durations.json', '{"durations":')
    assert.equal((await split([...words, '--offline'])).code, 6)
  })

  it('finds the files of tests by paths, suites, classes and modules', async () => {
    const named = [
      ['web/cart.spec.ts', 'name="x" classname="cart.spec.ts"', 4],
      ['web/a/menu.test.js', 'name="y" classname="menu" file="/builds/team/shop/web/a/menu.test.js"', 5],
      ['tests/test_cart.py', 'name="test_z" classname="tests.test_cart.TestCart"', 6],
      ['ios/ShopTests/CartTests.swift', 'name="testQ()" classname="CartTests"', 7],
      ['jvm/shop/Outer.java', 'name="w" classname="shop.Outer$Inner"', 8],
    ] as const
    for (const [path] of named) await put(path)
    const cases = named.map(([, attributes, seconds]) => `<testcase ${attributes} time="${seconds}"/>`)
    await put('named.xml', `<testsuite name="all">${cases.join('')}</testsuite>`)
    await desk.json('apps', 'create', 'web', '--platform', 'android')
    await desk.json('tests', 'upload', 'named.xml', '--app', 'web', '--complete')
    for (const [path, , seconds] of named) {
      const words = ['tests', 'split', '--app', 'web', '--shards', '1', '--index', '1', path]
      const found = await desk.json<{ durationMs: number; newFiles: string[] }>(...words)
      assert.deepEqual([found.durationMs, found.newFiles], [seconds * 1000, []], path)
    }
  })
})
