import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openMappingText } from '../../../test/open-mapping-text.ts'
import { areSameMapId, detectMapId, mappingIndexVersion, openMapping } from '../../index.ts'
import { buildMappingIndex } from './build-mapping-index.ts'
import { retraceText } from '../retrace/retrace.ts'

const folder = mkdtempSync(join(tmpdir(), 'fairlead-index-'))
after(() => rmSync(folder, { recursive: true }))
const [source, index] = [join(folder, 'mapping.txt'), join(folder, 'mapping.index')]

async function build(text: string) {
  writeFileSync(source, text)
  return buildMappingIndex(source, index)
}

describe('the index of a mapping', () => {
  it('returns the header of the mapping', async () => {
    const { header, classCount } = await build(
      '# compiler: R8\n' +
        '# compiler_version: 9.0.32\n' +
        '# min_api: 24\n' +
        '# {"id":"com.android.tools.r8.mapping","version":"2.2"}\n' +
        '# pg_map_id: 7bd0fe1\n' +
        '# pg_map_hash: SHA-256 7bd0fe1abc\n' +
        'a -> b:\n',
    )
    assert.equal(classCount, 1)
    assert.deepEqual(header, {
      compiler: 'R8',
      compilerVersion: '9.0.32',
      minApi: '24',
      mapVersion: '2.2',
      mapId: '7bd0fe1',
      mapHash: 'SHA-256 7bd0fe1abc',
    })
    using mapping = openMapping(index)
    assert.deepEqual(mapping.header, header)
  })

  it('finds each of many classes, including one that spans several blocks', async () => {
    const classes = Array.from(
      { length: 3000 },
      (_, number) => `com.example.C${number} -> x.c${number}:\n    void m${number}() -> a\n`,
    )
    const members = Array.from({ length: 60_000 }, (_, number) => `    void m${number}(int,int,int) -> m${number}\n`)
    const large = `com.example.Large -> x.large:\n${members.join('')}`
    await build(`${classes.slice(0, 1500).join('')}${large}${classes.slice(1500).join('')}`)
    using mapping = openMapping(index, { cacheBytes: 100_000 })
    for (let number = 0; number < 3000; number++) {
      assert.equal(
        retraceText(`at x.c${number}.a(F)`, mapping),
        `at com.example.C${number}.m${number}(C${number}.java)`,
      )
    }
    assert.equal(retraceText('at x.large.m59999(F)', mapping), 'at com.example.Large.m59999(Large.java)')
    assert.equal(retraceText('at x.none.a(F)', mapping), 'at x.none.a(F)')
  })

  it('is rejected if it is damaged, truncated or of another version', async () => {
    await build('com.example.App -> a:\n    void b() -> c\n')
    const good = readFileSync(index)
    const codeOf = (bytes: Buffer): unknown => {
      writeFileSync(index, bytes)
      try {
        using mapping = openMapping(index)
        retraceText('at a.c(F)', mapping)
        return undefined
      } catch (error) {
        return error instanceof Error && 'code' in error ? error.code : error
      }
    }
    assert.equal(codeOf(good), undefined)
    const outdated = Buffer.from(good)
    outdated.writeUInt32LE(mappingIndexVersion + 1, 8)
    assert.equal(codeOf(outdated), 'outdated-lookup')
    assert.equal(codeOf(Buffer.from('com.example.App -> a:\n'.repeat(10))), 'malformed-lookup')
    for (let length = 0; length < good.length; length++) {
      writeFileSync(index, good)
      truncateSync(index, length)
      assert.equal(codeOf(readFileSync(index)), 'malformed-lookup')
    }
    for (let at = 0; at < good.length; at++) {
      const damaged = Buffer.from(good)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      const code = codeOf(damaged)
      assert.ok(
        code === undefined || code === 'malformed-lookup' || code === 'outdated-lookup',
        `${at}: ${String(code)}`,
      )
    }
    assert.throws(() => openMapping(join(folder, 'nowhere')), { code: 'unreadable' })
  })

  it('is deleted if the file is not a mapping', async () => {
    rmSync(index, { force: true })
    await assert.rejects(build('<html>Not found</html>\n'), { code: 'malformed-mapping' })
    assert.equal(existsSync(index), false)
    await assert.rejects(buildMappingIndex(join(folder, 'nowhere'), index), { code: 'unreadable' })
  })
})

describe('the id of a mapping', () => {
  it('is found in place of the source file', () => {
    assert.equal(detectMapId(`java.lang.Error\n\tat a.b(r8-map-id-${'0a'.repeat(32)}:12)`), '0a'.repeat(32))
    assert.equal(detectMapId('at a.b(r8-map-id-7bd0fe1:1)'), '7bd0fe1')
    assert.equal(detectMapId('at a.b(r8-map-id-none:1) at a.b(SourceFile:1)'), undefined)
  })

  it('may be shortened to its first digits', () => {
    assert.equal(areSameMapId('7bd0fe1', '7BD0FE1abcdef'), true)
    assert.equal(areSameMapId('7bd0fe1', '7bd0fe2abcdef'), false)
    assert.equal(areSameMapId('7bd', '7bd0fe2abcdef'), false)
  })

  it('is replaced by the source file in the restored trace', async () => {
    using mapping = await openMappingText('com.example.App -> a:\n    1:1:void b():5:5 -> c\n')
    assert.equal(retraceText('at a.c(r8-map-id-7bd0fe1:1)', mapping), 'at com.example.App.b(App.java:5)')
  })
})
