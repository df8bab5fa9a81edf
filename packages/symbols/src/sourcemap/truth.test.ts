/** Compares every position of the shared source maps with metro-symbolicate and trace-mapping. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { findFixtures } from '../../test/fixtures.ts'
import { buildSourceMap } from './build-source-map.ts'
import { openSourceMap, type OriginalPosition } from './source-map.ts'

type Text = string | null
type Position = [
  number,
  number,
  Text,
  number | null,
  number | null,
  Text,
  Text?,
  (number | null)?,
  (number | null)?,
  Text?,
]

interface TruthMap {
  name: string
  map: string
  debugId?: string | null
  positions?: Position[]
  ramPositions?: [number, number, number, Text, number | null, number | null, Text][]
}

/** webpack writes `./` into its sources, which trace-mapping leaves out and we keep. */
const toPath = (source: Text) => source?.replace('/./', '/') ?? null

const toPlace = (found: OriginalPosition | undefined) => [
  toPath(found?.source ?? null),
  found?.line ?? null,
  found?.column ?? null,
]

const fixtures = findFixtures('native')

describe('positions of source maps', { skip: fixtures === undefined }, () => {
  if (fixtures === undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'source-maps-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const truth: { maps: TruthMap[] } = JSON.parse(readFileSync(join(fixtures, 'sourcemap-truth.json'), 'utf8'))

  for (const { name, map, debugId = null, positions = [], ramPositions = [] } of truth.maps) {
    it(`of ${name} are those of the reference`, () => {
      const path = join(fixtures, 'sourcemaps', map)
      const plain = join(folder, `${name}.map`)
      writeFileSync(plain, name === 'huge' ? gunzipSync(readFileSync(`${path}.gz`)) : readFileSync(path))
      const lookupFile = join(folder, `${name}.lookup`)
      const built = buildSourceMap(plain, lookupFile)
      assert.deepEqual([built.debugId, built.problems], [debugId, []])
      using lookup = openSourceMap(lookupFile)
      for (const [line, column, source, ...rest] of positions) {
        const found = lookup.find({ line, column })
        assert.deepEqual(toPlace(found), [toPath(source), rest[0], rest[1]], `${line}:${column}`)
        assert.equal(found?.name ?? null, rest[2])
        if (rest.length > 3) assert.equal(found?.functionName ?? null, rest[6])
      }
      for (const [module, line, column, source, ...rest] of ramPositions) {
        const found = lookup.find({ module, line, column })
        assert.deepEqual(toPlace(found), [toPath(source), rest[0], rest[1]], `${module}.js:${line}:${column}`)
        assert.equal(found?.functionName ?? null, rest[2])
      }
      assert.ok(positions.length + ramPositions.length > 0)
    })
  }
})
