import { listRecords, measureBlocks } from '../details/block-reader.ts'
import type { ReportCase } from '../report.ts'
import { parseCase } from './case-line.ts'

/** Yields the cases of a cases file in batches, in the order of the report. Throws ReportsError `malformed`. */
export function* listCases(path: string): Generator<ReportCase[], void> {
  for (const records of listRecords(path)) yield records.map((record) => parseCase(record))
}

/** Returns the bytes of the lines of a cases file, which is compressed. Throws ReportsError `malformed`. */
export function measureCases(path: string): number {
  return measureBlocks(path)
}
