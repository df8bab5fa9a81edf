import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '../blobs/blob-store.ts'
import { isMissing } from '../blobs/system-error.ts'
import { ArchiveWriter, type Manifest, readArchive, resumeArchive } from './archive.ts'
import type { Progress } from './progress.ts'
import { parseRowLine, toRowLine } from './row-json.ts'
import type { RowSource, Table } from './row-source.ts'
import { toWorkspaceConditions, unmovedTables } from './workspace-rows.ts'

export interface ExportOptions {
  /** The archive; while it is unfinished it is called `{path}.part`, and its rows are collected in `{path}.rows`. */
  path: string
  /** Null exports everything. */
  workspaceId: number | null
  progress: Progress
}

export interface ExportReport {
  rowCount: number
  blobCount: number
  /** Keys of blobs that were deleted while the export ran, or were missing before. */
  missing: string[]
}

interface Sources {
  rows: RowSource
  blobs: Pick<BlobStore, 'read'>
}

/**
 * Writes a consistent snapshot of the rows, and all bytes that they refer to, into one archive. An interrupted run is
 * resumed: it keeps the rows of the first run, and the blobs that the archive already contains.
 */
export async function exportArchive(sources: Sources, options: ExportOptions): Promise<ExportReport> {
  const part = `${options.path}.part`
  if (existsSync(options.path)) throw new Error(`${options.path} exists already`)
  const written = existsSync(part) ? await resumeArchive(part) : { sums: new Map<string, string>(), end: 0 }
  const hasRows = written.sums.has('manifest.json')
  const report: ExportReport = { rowCount: 0, blobCount: 0, missing: [] }
  {
    await using writer = new ArchiveWriter(part, hasRows ? written : { sums: new Map(), end: 0 })
    if (!hasRows) await writeRows(sources.rows, writer, options)
    const blobs = hasRows ? await readBlobRows(part) : await listBlobs(sources.rows, options.workspaceId)
    options.progress.begin('blobs', blobs.length)
    for (const { key, size } of blobs) {
      const name = `blobs/${key}`
      if (!writer.sums.has(name)) {
        const isThere = await addBlob(sources.blobs, writer, name, { key, size })
        if (!isThere) report.missing.push(key)
      }
      report.blobCount++
      options.progress.advance(1, size)
    }
    await writer.finish()
    report.rowCount = [...writer.sums.keys()].filter((name) => name.startsWith('rows/')).length
  }
  await rename(part, options.path)
  return report
}

interface BlobRow {
  key: string
  size: number
}

/** Rows go through a temporary file, because an entry of a tar file begins with its size. The manifest comes last. */
async function writeRows(source: RowSource, writer: ArchiveWriter, { path, workspaceId, progress }: ExportOptions) {
  const conditions = workspaceId === null ? undefined : toWorkspaceConditions(source.tables, workspaceId)
  const tables = source.tables.filter(({ name }) => !unmovedTables.has(name) && (!conditions || conditions.has(name)))
  const folder = `${path}.rows`
  // A run that was killed may have left the folder.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  progress.begin('tables', tables.length)
  try {
    const counts: Manifest['tables'] = []
    for (const table of tables) {
      const spool = join(folder, table.name)
      const count = await spoolRows(source, table, conditions?.get(table.name), spool)
      await writer.add(`rows/${table.name}.ndjson`, (await stat(spool)).size, createReadStream(spool))
      counts.push({ name: table.name, count })
      progress.advance(1, 0)
    }
    const manifest: Manifest = {
      format: 'fairlead-archive-1',
      createdDate: new Date().toISOString(),
      version: source.version,
      workspaceId,
      tables: counts,
    }
    const text = Buffer.from(JSON.stringify(manifest, null, 2))
    await writer.add('manifest.json', text.length, Readable.from([text]))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function spoolRows(source: RowSource, table: Table, where: string | undefined, path: string): Promise<number> {
  let count = 0
  await pipeline(
    async function* () {
      for await (const row of source.rows(table, where)) {
        count++
        yield toRowLine(row)
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  )
  return count
}

async function listBlobs(source: RowSource, workspaceId: number | null): Promise<BlobRow[]> {
  const table = source.tables.find(({ name }) => name === 'blobs')
  if (!table) return []
  const where = workspaceId === null ? undefined : toWorkspaceConditions(source.tables, workspaceId).get('blobs')
  return Array.fromAsync(source.rows(table, where), toBlobRow)
}

/** After an interruption the rows of the archive count, not those of the database. */
async function readBlobRows(path: string): Promise<BlobRow[]> {
  try {
    for await (const { name, content } of readArchive(path)) {
      if (name !== 'rows/blobs.ndjson') continue
      const text = Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>)).toString('utf8')
      return text.split('\n').filter(Boolean).map(parseRowLine).map(toBlobRow)
    }
  } catch {
    // The archive may be unfinished, but its rows come before the unfinished part.
  }
  return []
}

function toBlobRow({ key, size }: Record<string, unknown>): BlobRow {
  return { key: String(key), size: Number(size) }
}

async function addBlob(
  blobs: Pick<BlobStore, 'read'>,
  writer: ArchiveWriter,
  name: string,
  { key, size }: BlobRow,
): Promise<boolean> {
  try {
    await writer.add(name, size, await blobs.read(key))
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
