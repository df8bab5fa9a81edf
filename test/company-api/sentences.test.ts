import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'

const root = join(import.meta.dirname, '../..')

it('Each sentence of the API of a company names tests that are there', async () => {
  const page = await readFile(join(import.meta.dirname, 'README.md'), 'utf8')
  const cells = page.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split(' | ')[1] ?? ''] : []))
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([\w/-]+)`(?:: (.+?))?(?=<br>|\s*\|?$)/g)])
  assert.ok(named.length > 60, `${named.length} tests are named`)
  for (const [, file = '', name = ''] of named) {
    const path = file.includes('/') ? `apps/server/src/${file}.test.ts` : `test/company-api/${file}.test.ts`
    assert.ok((await readFile(join(root, path), 'utf8')).includes(name), `${path} has no test “${name}”`)
  }
})
