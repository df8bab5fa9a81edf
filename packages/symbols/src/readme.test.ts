import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { sampleUuid, writeSampleArchive } from '../test/sample-app.ts'
import { createFolder } from '../test/temporary-folder.ts'

it('runs the example of the README with the documented output', () => {
  using folder = createFolder()
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
  const [, example = '', printed = ''] = /```ts\n(.*?)```.*?```\n(.*?)```/s.exec(readme) ?? []
  const entry = new URL('index.ts', import.meta.url).href
  const program = folder.write('example.mts', example.replace("'@fairlead/symbols'", JSON.stringify(entry)))
  folder.write('dSYMs.zip', writeSampleArchive())
  const body = {
    threads: [{ triggered: true, frames: [{ imageOffset: 0x130, imageIndex: 0 }] }],
    usedImages: [{ base: 0x104d48000, size: 0x20000, uuid: sampleUuid, name: 'Shop', arch: 'arm64' }],
  }
  folder.write('crash.ips', `{"bug_type":"309"}\n${JSON.stringify(body)}`)
  const output = execFileSync(process.execPath, [program], { cwd: folder.path, encoding: 'utf8' })
  assert.ok(printed.includes('Thread 0 Crashed:') && output.includes(printed))
})
