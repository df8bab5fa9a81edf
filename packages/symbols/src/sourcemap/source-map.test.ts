import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { buildSourceMap } from './build-source-map.ts'
import { openSourceMap } from './source-map.ts'

describe('a source map', () => {
  const folder = mkdtempSync(join(tmpdir(), 'source-map-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let count = 0
  const build = (map: object | string) => {
    const path = join(folder, `${count++}.map`)
    writeFileSync(path, typeof map === 'string' ? map : JSON.stringify(map))
    const lookupFile = `${path}.lookup`
    return { lookupFile, ...buildSourceMap(path, lookupFile) }
  }
  const open = (map: object | string) => openSourceMap(build(map).lookupFile)
  const plain = { version: 3, sources: ['a.ts', 'b.ts'], names: ['pay'] }

  it('answers with the last segment at or before a column, on its line', () => {
    // Columns 4 and 10 of line 2.
    using map = open({ ...plain, mappings: ';IAAAA,MCEE' })
    assert.equal(map.find({ line: 2, column: 3 }), undefined)
    assert.equal(map.find({ line: 1, column: 3 }), undefined)
    assert.equal(map.find({ line: 3, column: 0 }), undefined)
    const first = { source: 'a.ts', line: 1, column: 0, name: 'pay', functionName: null }
    assert.deepEqual(map.find({ line: 2, column: 4 }), first)
    assert.deepEqual(map.find({ line: 2, column: 9 }), first)
    assert.deepEqual(map.find({ line: 2, column: 10 }), { ...first, source: 'b.ts', line: 3, column: 2, name: null })
    assert.equal(map.find({ line: 2, column: 1e9 })?.source, 'b.ts')
  })

  it('has places where nothing is, and puts segments of a line in order', () => {
    using map = open({ ...plain, mappings: 'UAAA,FACA,I' })
    assert.deepEqual([map.find({ line: 1, column: 8 })?.line, map.find({ line: 1, column: 10 })?.line], [2, 1])
    using silent = open({ ...plain, mappings: 'AAAA,E,EACA' })
    assert.equal(silent.find({ line: 1, column: 2 }), undefined)
    assert.equal(silent.find({ line: 1, column: 3 }), undefined)
    assert.equal(silent.find({ line: 1, column: 4 })?.line, 2)
  })

  it('takes the first of several segments at the very position, and the last of them for what follows', () => {
    using map = open({ ...plain, mappings: 'AAAA,EACA,AACA,AACA' })
    assert.equal(map.find({ line: 1, column: 2 })?.line, 2)
    assert.equal(map.find({ line: 1, column: 3 })?.line, 4)
    // The segment at column 4 says the same as the one before it, but another one stands there too.
    using repeated = open({ ...plain, mappings: 'AAAA,EAAA,AACA' })
    assert.equal(repeated.find({ line: 1, column: 2 })?.line, 1)
    assert.equal(repeated.find({ line: 1, column: 3 })?.line, 2)
  })

  it('joins the source root as a folder, and leaves addresses as they are', () => {
    for (const [sourceRoot, source, expected] of [
      ['/src', 'a.ts', '/src/a.ts'],
      ['/src/', 'a.ts', '/src/a.ts'],
      ['', 'a.ts', 'a.ts'],
      ['webpack://shop/', './a.ts', 'webpack://shop/./a.ts'],
      ['/src', 'app:///a.ts', 'app:///a.ts'],
      ['/src', null, null],
    ]) {
      using map = open({ version: 3, sourceRoot, sources: [source], names: [], mappings: 'AAAA' })
      assert.equal(map.find({ line: 1, column: 0 })?.source, expected)
    }
  })

  it('gives the lines of the source around a place, if it has the text of that source', () => {
    const contents = [null, 'one\r\ntwo\nthree\nfour\n']
    using map = open({ ...plain, mappings: 'AAAA,MCEE', sourcesContent: contents })
    const at = (column: number) => map.findLines({ line: 1, column }, 1)
    assert.deepEqual([at(0), at(6)], [undefined, { firstLine: 2, lines: ['two', 'three', 'four'] }])
    assert.deepEqual(map.findLines({ line: 1, column: 6 }, 9), {
      firstLine: 1,
      lines: ['one', 'two', 'three', 'four', ''],
    })
    assert.equal(map.findLines({ line: 2, column: 0 }, 1), undefined)
    using short = open({ ...plain, mappings: 'AAAA,MCEE', sourcesContent: ['', 'one'] })
    assert.equal(short.findLines({ line: 1, column: 6 }, 1), undefined)
    using long = open({ ...plain, mappings: 'AAAA', sourcesContent: ['x'.repeat(5000)] })
    assert.equal(long.findLines({ line: 1, column: 0 }, 1)?.lines[0]?.length, 200)
  })

  it('has positions without the texts of sources that are no text, damaged or too large', () => {
    for (const content of ['7', '{"a":["]"]}', '"\\q"', `"${'x'.repeat(2 ** 21 + 1)}"`]) {
      using map = open(`{"version":3,"sources":["a.ts"],"mappings":"AAAA","sourcesContent":[${content},"more"]}`)
      assert.equal(map.find({ line: 1, column: 0 })?.source, 'a.ts')
      assert.equal(map.findLines({ line: 1, column: 0 }, 1), undefined)
    }
    using none = open({ version: 3, sources: ['a.ts'], mappings: 'AAAA', sourcesContent: 'text' })
    assert.equal(none.findLines({ line: 1, column: 0 }, 1), undefined)
  })

  it('finds the function around a place by its function map', () => {
    const functions = [{ names: ['<global>', 'pay'], mappings: 'AAA;ECC;ADC' }]
    using map = open({ ...plain, mappings: 'AAAA,EACE,EACA', x_facebook_sources: [functions, null] })
    const names = [0, 2, 4].map((column) => map.find({ line: 1, column })?.functionName)
    assert.deepEqual(names, ['<global>', 'pay', '<global>'])
  })

  it('cuts sections where the next one begins, and counts columns of a section from its start', () => {
    const section = (line: number, column: number, source: string, mappings: string) => ({
      offset: { line, column },
      map: { version: 3, sources: [source], names: [], mappings },
    })
    using map = open({
      version: 3,
      sections: [section(0, 10, 'second.ts', 'AAAA;AACA'), section(0, 0, 'first.ts', 'AAAA,oBACA;AACA')],
    })
    const find = (line: number, column: number) => map.find({ line, column })?.source
    assert.deepEqual([find(1, 9), find(1, 10), find(1, 30), find(2, 0)], ['first.ts', ...Array(3).fill('second.ts')])
  })

  it('adds the lines of modules of a RAM bundle, and keeps segments of a bundle apart', () => {
    const other = { version: 3, sources: ['late.ts'], names: [], mappings: ';;AAAA', x_facebook_offsets: [null, 2] }
    using map = open({
      ...plain,
      mappings: ';AAAA',
      x_facebook_offsets: [1],
      x_facebook_segments: { 3: other },
    })
    assert.equal(map.find({ line: 1, column: 0, module: 0 })?.source, 'a.ts')
    assert.equal(map.find({ line: 1, column: 0, module: 1 }), undefined)
    assert.equal(map.find({ line: 1, column: 0, segment: 3, module: 1 })?.source, 'late.ts')
    assert.equal(map.find({ line: 1, column: 0, segment: 3, module: 0 }), undefined)
    assert.equal(map.find({ line: 1, column: 0, segment: 4, module: 1 }), undefined)
  })

  it('is read behind a guarding line, with escapes, and with fields in any order', () => {
    using map = open(`)]}'\n{"mappings":"AAAA,gB\\/BAAA","names":[],"sources":["\\u0061\\n.ts"],"version":3.0}`)
    assert.equal(map.find({ line: 1, column: 0 })?.source, 'a\n.ts')
  })

  it('keeps what comes before damage, and says where it ended', () => {
    const { problems, lookupFile } = build({ ...plain, mappings: 'AAAA,E!AAA,EAEA' })
    assert.match(problems[0] ?? '', /no digit/)
    using map = openSourceMap(lookupFile)
    assert.equal(map.find({ line: 1, column: 50 })?.line, 1)
  })

  it('has many pages, whose edges answer as their middles do', () => {
    const lines = Array.from({ length: 10_000 }, () => 'AACA,CAAC,CAAC')
    using map = open({ ...plain, mappings: lines.join(';') })
    for (let line = 1; line <= 10_000; line++) {
      assert.equal(map.find({ line, column: 0 })?.line, line + 1)
      assert.equal(map.find({ line, column: 7 })?.line, line + 1)
    }
  })

  it('is refused when a limit is passed or it is no map', () => {
    const opening = '{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'
    const nested = `${opening.repeat(40)}{}${'}]}'.repeat(40)}`
    assert.throws(() => build(nested), { code: 'too-large' })
    for (const text of ['{}', '{"version":3', '[]', '{"version":3,"sources":[],"mappings":"A"} x']) {
      assert.throws(() => build(text), { code: 'malformed-source-map' }, text)
    }
  })

  it('has a lookup file that is refused when it is damaged', () => {
    const { lookupFile } = build({ ...plain, mappings: 'AAAA' })
    const bytes = readFileSync(lookupFile)
    truncateSync(lookupFile, bytes.length - 3)
    assert.throws(() => openSourceMap(lookupFile), { code: 'malformed-lookup' })
    writeFileSync(lookupFile, bytes.fill(9, 4, 5))
    assert.throws(() => openSourceMap(lookupFile), { code: 'outdated-lookup' })
  })
})
