import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type AppInfo, BinaryError, readApp } from '@fairlead/binary'
import { type ExportFiles, listExportFiles } from './export-files.ts'
import { type ParseRecord, readRecords, type ReleaseRecord } from './release-record.ts'

/** A build of an export with its record. */
export interface ExportedBuild {
  path: string
  app: AppInfo
  sha256: string
  /** Epoch milliseconds: the time of the record, or that of the file. */
  time: number
  record: ReleaseRecord | undefined
}

export interface Export {
  /** Oldest first, so that the newest build is uploaded last and listed first. */
  builds: ExportedBuild[]
  files: ExportFiles
  /** Files whose names end like those of builds but that are not builds. */
  refused: { path: string; reason: string }[]
}

/** Reads an export: its binaries, each with the record of the same bytes or the same version. */
export async function readExport(folder: string, parse: ParseRecord | undefined): Promise<Export> {
  const files = await listExportFiles(folder)
  const records: ReleaseRecord[] = []
  if (parse) for (const path of files.records) records.push(...(await readRecords(path, parse)))
  const builds: ExportedBuild[] = []
  const refused: Export['refused'] = []
  for (const path of files.binaries) {
    try {
      builds.push(await readBuild(path, records))
    } catch (error) {
      if (!(error instanceof BinaryError)) throw error
      refused.push({ path, reason: error.message })
    }
  }
  return { builds: builds.toSorted((a, b) => a.time - b.time), files, refused }
}

async function readBuild(path: string, records: readonly ReleaseRecord[]): Promise<ExportedBuild> {
  const app = await readApp(path)
  const { sha256, md5 } = await digestFile(path)
  const record = findRecord(records, app, md5) ?? (await readNotesBeside(path))
  const date = Date.parse(record?.uploadedDate ?? '')
  return { path, app, sha256, record, time: Number.isNaN(date) ? (await stat(path)).mtimeMs : date }
}

async function digestFile(path: string): Promise<{ sha256: string; md5: string }> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      sha256.update(chunk)
      md5.update(chunk)
    }
  })
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex') }
}

function findRecord(records: readonly ReleaseRecord[], app: AppInfo, md5: string): ReleaseRecord | undefined {
  const sameBytes = records.find((record) => record.md5?.toLowerCase() === md5)
  if (sameBytes) return sameBytes
  return (
    records.find(
      (record) =>
        // A record with another digest belongs to another upload of the same version.
        record.md5 === null &&
        (record.bundleIdentifier === null || record.bundleIdentifier === app.bundleIdentifier) &&
        record.shortVersion === app.shortVersion &&
        record.version === app.version,
    ) ??
    records.find(
      (record) =>
        record.bundleIdentifier === app.bundleIdentifier &&
        record.shortVersion === app.shortVersion &&
        record.version === app.version,
    )
  )
}

const nothing: ReleaseRecord = {
  bundleIdentifier: null,
  shortVersion: null,
  version: null,
  md5: null,
  notes: null,
  uploadedDate: null,
  branch: null,
  commit: null,
  ciUrl: null,
  groups: [],
}

/** Reads notes from a file of the same name: `app.md` or `app.txt` beside `app.apk`. */
async function readNotesBeside(path: string): Promise<ReleaseRecord | undefined> {
  const { name } = parse(path)
  for (const extension of ['.md', '.txt']) {
    const notes = await readFile(join(dirname(path), name + extension), 'utf8').catch(() => undefined)
    if (notes !== undefined) return { ...nothing, notes }
  }
  return undefined
}
