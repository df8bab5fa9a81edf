import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { serve } from '../serve.ts'
import { createCrashApplication, deliver, findCrashFixtures, readFixture, waitUntilRead } from '../testing/crashes.ts'
import { call, initialToken, type TestServer } from '../testing/start-server.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { readJson } from '../testing/read-json.ts'

interface PrivateDelivery {
  protocol: string
  private: string[]
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const folder = findCrashFixtures()

describe('stored crash data', { skip: folder === undefined && 'no shared fixtures' }, () => {
  if (folder === undefined) return
  it('holds no personal text in any file, table or blob after a clean stop, nor in freed pages of SQLite', async () => {
    await using database = await createTestDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'fairlead-privacy-'))
    try {
      const truth = readJson<Record<string, PrivateDelivery>>(readFixture(folder, 'truth.json').toString())
      const planted = new Set<string>()
      const server = await serve(
        readConfig({
          FAIRLEAD_DATA_DIR: dataDir,
          FAIRLEAD_PORT: '0',
          FAIRLEAD_LOG_LEVEL: 'silent',
          FAIRLEAD_INITIAL_API_TOKEN: initialToken,
          ...(database.url !== null && { FAIRLEAD_DATABASE_URL: database.url }),
        }),
      )
      const client = { call: (...args: Parameters<TestServer['call']>) => call(server.url, ...args) }
      const application = await createCrashApplication(client, 'private')
      for (const [file, expected] of Object.entries(truth)) {
        for (const text of expected.private) planted.add(text)
        await deliver(client, application, expected.protocol, readFixture(folder, file))
      }
      await waitUntilRead(client, application.id)
      await server.close()
      assert.ok(planted.size > 20)
      const texts = await readEverything(dataDir, database.url)
      assert.ok(texts.some((text) => text.includes('org.tarn.ledger')))
      const found = [...planted].filter((text) => texts.some((bytes) => bytes.includes(text)))
      assert.deepEqual(found, [])
    } finally {
      await rm(dataDir, { recursive: true })
    }
  })
})

/** All files as they are, and all values of all tables, unpacked where they are compressed. */
async function readEverything(dataDir: string, databaseUrl: string | null): Promise<Buffer[]> {
  const texts: Buffer[] = []
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) texts.push(await readFile(join(entry.parentPath, entry.name)))
  }
  const { db } = await openDatabase({ databaseUrl, dataDir })
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    texts.push(Buffer.from(JSON.stringify(rows)))
    for (const value of rows.flatMap((row) => Object.values(row))) {
      if (!(value instanceof Uint8Array)) continue
      const bytes = Buffer.from(value)
      texts.push(bytes.subarray(0, 4).equals(zstdMagic) ? zstdDecompressSync(bytes) : bytes)
    }
  }
  await db.destroy()
  return texts
}
