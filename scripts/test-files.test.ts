import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { asksForEngine, findTestFiles } from './test-files.ts'

const root = join(import.meta.dirname, '..')

describe('the test files', () => {
  it('are found by path and by glob, each once', () => {
    const one = 'scripts/test-files.test.ts'
    assert.deepEqual(findTestFiles(root, [one, 'scripts/test-f*.test.ts']), [one])
    assert.ok(findTestFiles(root, []).includes(one))
  })

  it('are not chosen by a pattern that matches none of them', () => {
    assert.throws(() => findTestFiles(root, ['scripts/nothing.test.ts']), /nothing\.test\.ts matches no test file/)
    assert.throws(() => findTestFiles(root, ['scripts/test.ts']), /scripts\/test\.ts matches no test file/)
  })

  it('run on both engines when they or their imports read which one to use', () => {
    assert.ok(asksForEngine(root, 'apps/server/src/builds/routes.test.ts'))
    assert.ok(asksForEngine(root, 'apps/server/src/blobs/s3-store.test.ts'))
    assert.ok(asksForEngine(root, 'test/hold-up.test.ts'))
    assert.equal(asksForEngine(root, 'apps/server/src/config.test.ts'), false)
    assert.equal(asksForEngine(root, 'test/moving.test.ts'), false)
  })

  it('may hold programs in strings, whose modules do not exist here', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairlead-test-files-'))
    after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'story.test.ts'), "const program = `\nimport { total } from './cart.ts'\n`\n")
    assert.equal(asksForEngine(folder, 'story.test.ts'), false)
  })
})
