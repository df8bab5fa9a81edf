import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { readArchive } from './archive.ts'
import { embeddedIds, looseReferences, type Renumber } from './loose-references.ts'
import { parseRowLine } from './row-json.ts'
import { openRowSource, type RawRow, type Table } from './row-source.ts'
import {
  fill,
  openTarget,
  otherToken,
  run,
  serveAt,
  toConfig,
  toDatabase,
  toTestServer,
} from '../testing/installations.ts'
import { createSecondWorkspace } from '../testing/second-workspace.ts'

describe('the ids in an archive of one workspace', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-renumbering-'))
  const server = await startServer()
  after(async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  const source = toConfig({ FAIRLEAD_DATA_DIR: server.dataDir, ...toDatabase(server.databaseUrl) }, server)
  before(async () => {
    await fill(server)
    await createSecondWorkspace(server)
  })

  it('renumbers every reference between the rows of a workspace, declared or not', async () => {
    const one = join(folder, 'renumbered.tar')
    assert.equal((await run(source, 'export', one, '--workspace', '1')).code, 0)
    await using target = await openTarget(folder)
    {
      await using other = await serveAt(target.config)
      await fill(toTestServer(other.url, otherToken))
    }
    assert.equal((await run(target.config, 'import', one)).code, 0)
    const again = join(folder, 'renumbered-again.tar')
    assert.equal((await run(target.config, 'export', again, '--workspace', '2')).code, 0)
    await using rows = await openRowSource(source)
    const sent = await readPlainRows(one, rows.tables)
    assert.ok(['flips', 'streaks', 'crash_stacks', 'test_failures'].every((name) => sent[name]?.length))
    assert.deepEqual(await readPlainRows(again, rows.tables), sent)
  })

  it('renumbers the ids within a text and nothing else in it', () => {
    const renumber: Renumber = (table, id) => id + (table === 'environments' ? 100 : 10)
    const renumbered = embeddedIds['tests']?.['recent']?.('[[7,2,140,3,1],[8,0,null,4,0]]', renumber)
    assert.equal(renumbered, '[[17,2,140,103,1],[18,0,null,104,0]]')
  })

  it('lists every column that holds an id', async () => {
    await using rows = await openRowSource(source)
    const unknown = rows.tables.flatMap(({ name, columns, references }) => {
      const known = new Set([...references.map(({ column }) => column), ...Object.keys(looseReferences[name] ?? {})])
      return columns.filter((column) => column.endsWith('_id') && !known.has(column)).map((one) => `${name}.${one}`)
    })
    // These ids are texts, most of them of the apps.
    assert.deepEqual(unknown.toSorted(), [
      'crash_waits.code_id',
      'crashes.install_id',
      'crashes.source_id',
      'hook_events.webhook_id',
      'symbols_files.debug_id',
      'symbols_images.code_id',
    ])
  })
})

/**
 * The rows of a workspace with their ids counted from the first row of each table, so that two archives of one
 * workspace are equal although its ids differ. Blobs are compared by their digests.
 */
async function readPlainRows(path: string, schema: Table[]): Promise<Record<string, unknown[]>> {
  const tables = new Map<string, RawRow[]>()
  for await (const { name, content } of readArchive(path)) {
    if (!name.startsWith('rows/')) continue
    const text = Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>)).toString()
    tables.set(name.slice('rows/'.length, -'.ndjson'.length), text.split('\n').filter(Boolean).map(parseRowLine))
  }
  const toPlace = (table: string, id: unknown) => {
    const rows = tables.get(table) ?? []
    const place = rows.findIndex((row) => row['id'] === id)
    return `${table} ${table === 'blobs' ? String(rows[place]?.['sha256']) : place}`
  }
  const toPlain = ({ name, references }: Table, row: RawRow) => {
    const own: Record<string, unknown> = { ...row, ...('id' in row && { id: toPlace(name, row['id']) }) }
    const loose = Object.entries(looseReferences[name] ?? {}).map(([column, target]) => ({
      column,
      table: typeof target === 'string' ? target : target(row),
    }))
    for (const { column, table } of [...references, ...loose]) {
      if (row[column] && table !== undefined) own[column] = toPlace(table, row[column])
    }
    for (const [column, renumber] of Object.entries(embeddedIds[name] ?? {})) {
      const places: string[] = []
      renumber(String(row[column] ?? '[]'), (table, id) => places.push(toPlace(table, id)))
      if (row[column] !== null) own[column] = places
    }
    return own
  }
  const plain = schema.map((table): [string, unknown[]] => [
    table.name,
    (tables.get(table.name) ?? []).map((row) => toPlain(table, row)),
  ])
  // Equal bytes that were stored before keep their row.
  const blobs = tables.get('blobs')?.map(({ sha256 }) => sha256)
  return { ...Object.fromEntries(plain), blobs: blobs?.toSorted() ?? [] }
}
