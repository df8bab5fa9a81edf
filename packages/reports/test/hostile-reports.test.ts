/** Each hostile report of the shared fixtures is read with the expected warning or refused with the expected error. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ReportsError } from '../src/index.ts'
import { findReportFixtures } from './fixtures.ts'
import { readUpload } from './read-upload.ts'

const fixtures = findReportFixtures()
const folder = fixtures !== undefined && existsSync(join(fixtures, 'hostile')) ? join(fixtures, 'hostile') : undefined

describe(
  'a hostile report',
  { skip: folder === undefined && 'the shared fixtures are not there', timeout: 300_000 },
  () => {
    const read = (name: string) => readFileSync(join(folder ?? '', name))
    const lines = folder === undefined ? [] : read('MANIFEST.tsv').toString().trim().split('\n').slice(1)
    for (const [file = '', expect = '', cases = '-', failed = '-', warning = '-'] of lines.map((line) =>
      line.split('\t'),
    )) {
      // Files over 100 KB are not kept beside the manifest.
      if (!existsSync(join(folder ?? '', file))) continue
      it(`is read or refused as the manifest says: ${file}`, async () => {
        const report = await readUpload(read(file)).catch((error: unknown) => {
          if (error instanceof ReportsError) return error
          throw error
        })
        if (report instanceof ReportsError) {
          assert.match(expect, /422|413/, report.message)
          assert.ok(report.code !== 'crashed' && report.message.length < 2_000)
          return
        }
        assert.match(expect, /201/)
        if (cases !== '-') assert.equal(report.counts.cases, Number(cases))
        if (failed !== '-') assert.equal(report.counts.failed, Number(failed))
        if (warning !== '-')
          assert.ok(
            report.warnings.some(({ code }) => code === warning),
            warning,
          )
      })
    }

    it('gives the expected durations for times in many notations', { skip: folder === undefined }, async () => {
      type Times = Record<string, { durationMs: number | null }>
      const times: Times = JSON.parse(read('truth-times.json').toString())
      const { cases } = await readUpload(read('times.xml'))
      for (const one of cases) assert.deepEqual([one.name, one.durationMs], [one.name, toDuration(times[one.name])])
    })
  },
)

/** Adding 0 turns the negative zero of the table into 0, which `deepEqual` distinguishes. */
function toDuration(time: { durationMs: number | null } | undefined): number | null {
  return time === undefined || time.durationMs === null ? null : time.durationMs + 0
}
