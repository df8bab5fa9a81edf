import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { launch } from '@fairlead/channel/test'
import { testExchange } from './exchange.ts'
import { catchError } from './expect-error.ts'
import { skipWithout } from './required-tool.ts'

const root = join(import.meta.dirname, '..')
const protocol = join(root, 'docs', 'PROTOCOL.md')
const run = promisify(execFile)

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreign-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

describe('an app in Java', { skip: skipWithout('javac', ['-version']) }, () => {
  const classes = () => join(folder, 'classes')
  before(async () => {
    const java = join(root, 'java')
    const sources = readdirSync(java, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.java'))
    const paths = sources.map((name) => join(java, name))
    await run('javac', ['-Xlint:all', '-Werror', '--release', '17', '-d', classes(), ...paths])
  })

  test('passes every vector of PROTOCOL.md', async () => {
    const { stdout } = await run('java', ['-cp', classes(), 'dev.fairlead.channel.Vectors', protocol])
    assert.equal(stdout.trim(), '40 passed, 0 failed')
  })

  testExchange(() => launch({ command: 'java', args: ['-Xshare:auto', '-cp', classes(), 'DemoApp'] }))

  test('exchanges bytes, dates and numbers that JSON lacks', async () => {
    await using app = await launch({ command: 'java', args: ['-cp', classes(), 'DemoApp'] })
    const content = { bytes: new Uint8Array([0, 255]), at: new Date(5), big: 2n ** 80n, odd: [NaN, -0, -Infinity] }
    assert.deepEqual(app.xpcService.send('echo', content, { decoding: Object }), content)
    app.xpcService.on('asyncInTest', {}, async () => {})
    const error = catchError(() => app.xpcService.send('askAsync'))
    assert.match(error.message, /wouldDeadlock/)
  })
})

describe('an app in C', { skip: skipWithout('cc') }, () => {
  const program = (name: string) => join(folder, name)
  before(async () => {
    const c = join(root, 'c')
    const strict = ['-std=gnu11', '-Wall', '-Wextra', '-Werror', '-O1', '-g', '-fsanitize=address,undefined']
    const compile = (name: string, sources: string[]) =>
      run('cc', [...strict, '-o', program(name), ...sources.map((source) => join(c, source))])
    await Promise.all([compile('vectors', ['vectors.c', 'wire.c']), compile('demo', ['demo.c', 'channel.c', 'wire.c'])])
  })

  test('passes every vector of PROTOCOL.md', async () => {
    const { stdout } = await run(program('vectors'), [protocol])
    assert.equal(stdout.trim(), '40 passed, 0 failed')
  })

  testExchange(() => launch({ command: program('demo') }))
})
