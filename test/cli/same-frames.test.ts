/** `fairlead crashes upload` and `fairlead symbolicate` see the same frames in one file, with its symbols. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeTombstone } from '../../packages/symbols/test/write-tombstone.ts'
import { waitUntil } from '../processes/api.ts'
import { token } from '../processes/server-process.ts'
import { type Desk, openDesk, runHere } from './fairlead.ts'

const mapping = `com.example.Cart -> ab:
    1:3:void load():5:7 -> a
    4:4:int com.example.Total.sum():41:41 -> b
    4:4:int total():9 -> b
`
const trace = `java.lang.RuntimeException: outer
\tat c.d(SourceFile:1)
Caused by: ac: gone
\tat ab.b(SourceFile:4)
\tat ab.a(SourceFile:2)
\tat android.os.Handler.dispatchMessage(Handler.java:102)
`
const report = `Incident Identifier: 2E9A8C3C-0E1B-4E43-9D6E-6A2B8E7B1B1F
Exception Type:  EXC_CRASH (SIGABRT)
Crashed Thread:  1

Thread 0:
0   libsystem_kernel.dylib        \t0x3618bc00 0x3617c000 + 64512 (mach_msg_trap + 20)

Thread 1 Crashed:
0   libsystem_kernel.dylib        \t0x3618da1c 0x3617c000 + 72220 (__pthread_kill + 8)
1   Shop                          \t0x000668a8 0x5f000 + 30888 (-[Cart doAbort] + 12)

Binary Images:
   0x5f000 -    0x8ffff +Shop armv7  <11d18ddb9fc83e3a9cd2a2f7ee3d3f4e> /var/Shop.app/Shop
`
const tombstone = writeTombstone([{ pc: 0xf_ffff, function: 'pilot_draw', file: '/data/app/libpilot.so' }])

const files = [
  { name: 'trace.txt', body: trace, functions: ['com.example.Total.sum', 'com.example.Cart.total'] },
  { name: 'tombstone.pb', body: tombstone, functions: ['pilot_draw'] },
  { name: 'report.crash', body: report, functions: ['__pthread_kill', '-[Cart doAbort]'] },
  { name: 'stack.txt', body: 'TypeError: x is undefined\n    at total (app.bundle:1:42)\n', functions: ['total'] },
]

interface Frame {
  function: string | null
  file: string | null
  line: number | null
  column: number | null
  inlined: boolean
}

function toPlaces(frames: readonly Frame[]): Frame[] {
  return frames.map(({ function: name, file, line, column, inlined }) => {
    return { function: name, file, line, column: column || null, inlined }
  })
}

describe('the command line', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => void (desk = await openDesk()))
  after(() => desk[Symbol.asyncDispose]())

  /** Some of these files lack symbols, which 8 says; both commands have to answer all the same. */
  const run = async (...args: string[]) => {
    const env = { FAIRLEAD_URL: desk.server.url, FAIRLEAD_TOKEN: token, FAIRLEAD_CONFIG_DIR: join(desk.folder, 'none') }
    const { code, stdout, stderr } = await runHere([...args, '--json'], { cwd: desk.folder, env })
    assert.ok(code === 0 || code === 8, `${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }

  for (const { name, body, functions } of files) {
    it(`shows the frames of ${name} alike, sent as a crash or only resolved`, async () => {
      await writeFile(join(desk.folder, name), body)
      await writeFile(join(desk.folder, 'mapping.txt'), mapping)
      const alias = name.replace('.', '-')
      const of = ['--app', alias]
      await run('apps', 'create', alias, '--platform', name.endsWith('crash') ? 'ios' : 'android')
      const version = ['--version', '7', '--short-version', '1.2']
      if (name === 'trace.txt') {
        const release = ['--package', 'com.example', '--version-name', '1.2', '--version-code', '7']
        await run('symbols', 'upload', 'mapping.txt', ...of, ...release)
      }
      const { id: sourceId } = await run('crashes', 'upload', name, ...of, ...version)
      await waitUntil('the crash is read', async () => (await run('crashes', 'list', ...of)).length === 1)
      const [group] = await run('crashes', 'list', ...of)
      const { newestCrash } = await run('crashes', 'show', String(group.id))
      const { threads } = await run('symbolicate', name, ...of, ...version)
      const thread = threads.findLast(({ crashed }: { crashed: boolean }) => crashed)
      assert.equal(newestCrash.sourceId, sourceId)
      assert.deepEqual(toPlaces(newestCrash.frames), toPlaces(thread.frames))
      assert.deepEqual(
        toPlaces(thread.frames.slice(0, functions.length)).map((frame) => frame.function),
        functions,
      )
    })
  }
})
