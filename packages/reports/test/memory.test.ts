import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { writeReport } from '../bench/write-report.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

const program = join(import.meta.dirname, '..', 'bench', 'read-once.ts')

it('memory does not grow with the size of a report', () => {
  using folder = openTemporaryFolder()
  const path = join(folder.path, 'report.xml')
  const [small = Number.NaN, large = Number.NaN] = [4_000_000, 64_000_000].map((size) => {
    writeReport(path, size)
    const printed = execFileSync(process.execPath, ['--max-semi-space-size=2', program, path], { encoding: 'utf8' })
    const { memoryMb }: { memoryMb: number } = JSON.parse(printed)
    return memoryMb
  })
  // The report grows by 60 MB. Memory grows by less: the table of identities, and garbage that is not collected yet.
  assert.ok(large - small < 50, `${small} MB, then ${large} MB`)
})
