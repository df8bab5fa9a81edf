import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'

it('the example of the README runs and prints the documented output', (context) => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
  const [, example = '', printed = ''] = /```ts\n(.*?)```.*?```\n(.*?)```/s.exec(readme) ?? []
  const entry = new URL('index.ts', import.meta.url).href
  const folder = mkdtempSync(join(tmpdir(), 'crashes-test-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'example.mts')
  writeFileSync(program, example.replace("'@fairlead/crashes'", JSON.stringify(entry)))
  assert.equal(execFileSync(process.execPath, [program], { encoding: 'utf8' }), printed)
})
