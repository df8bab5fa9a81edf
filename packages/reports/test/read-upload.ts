import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeZip } from '@fairlead/binary/fixture'
import { listCases, openDetails, type ReportCase, type ReportSummary } from '../src/index.ts'
import { readReports } from '../src/read-reports.ts'
import type { ReadReportsOptions } from '../src/read-options.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

export interface ReadUpload extends ReportSummary {
  cases: ReportCase[]
  /** Returns the text that a reference names. */
  readDetail: (reference: number | null) => string
  /** The bytes of an extracted attachment. */
  readAttachment: (index: number | null) => string
}

/** Reads an upload of these bytes, and returns its cases, details and attachments from memory. */
export async function readUpload(bytes: string | Uint8Array, options: ReadReportsOptions = {}): Promise<ReadUpload> {
  using folder = openTemporaryFolder()
  const out = join(folder.path, 'out')
  mkdirSync(out)
  const summary = await readReports(folder.write('upload', bytes), out, options)
  const cases = [...listCases(summary.casesPath)].flat()
  using details = openDetails(summary.detailsPath)
  const references = [
    ...summary.suiteOutputs.map((output) => output.details),
    ...cases.flatMap((one) => one.outputs.map((output) => output.details)),
    ...cases.flatMap((one) => one.attempts.flatMap((attempt) => attempt.failures.map((failure) => failure.details))),
  ]
  const texts = new Map(references.filter((one) => one !== null).map((one) => [one, details.read(one)]))
  const contents = summary.attachments.map(({ path }) => (path === '' ? '' : readFileSync(path, 'utf8')))
  return {
    ...summary,
    cases,
    readDetail: (reference) => texts.get(reference ?? -1) ?? '',
    readAttachment: (index) => contents[index ?? -1] ?? '',
  }
}

/** Reads a zip archive of these files. */
export async function readArchive(files: Record<string, string | Uint8Array>, options: ReadReportsOptions = {}) {
  const zip = Object.entries(files).map(([name, data]) => ({ name, data: toBytes(data), deflate: true }))
  return await readUpload(writeZip(zip), options)
}

function toBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data) : data
}

/** One suite of JUnit XML around test cases. */
export function suite(cases: string, attributes = 'name="S"'): string {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
  return `${declaration}\n<testsuites><testsuite ${attributes}>${cases}</testsuite></testsuites>\n`
}

/** One test case of JUnit XML. */
export function testcase(name: string, inner = '', attributes = ''): string {
  return `<testcase classname="a.B" name="${name}" time="0.5" ${attributes}>${inner}</testcase>`
}

/** The outcomes of the attempts of each case: `one: failed passed`. */
export function listOutcomes({ cases }: { cases: ReportCase[] }): string[] {
  return cases.map((one) => {
    const number = one.case === 1 ? '' : ` #${one.case}`
    return `${one.name}${number}: ${one.attempts.map((attempt) => attempt.outcome).join(' ')}`
  })
}
