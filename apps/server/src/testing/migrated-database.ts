/**
 * Databases that are migrated once and copied for each test server, because a migration takes longer than most tests.
 * They are named after the migrations, so that a change of these makes new ones.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { openDatabase } from '../db/open.ts'

const migrationFolder = join(import.meta.dirname, '../db')
const cacheFolder = join(import.meta.dirname, '../../../../node_modules/.cache/fairlead-databases')
/** Any number that no other program of the cluster uses. */
const advisoryLock = 7_310_201

/** Digests everything that may change what a migrated database contains. */
function digestMigrations(): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(migrationFolder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    hash.update(file).update(readFileSync(join(migrationFolder, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

let template: Promise<string> | undefined
let file: Promise<string> | undefined

/** Copies a migrated embedded database into a data folder. */
export async function copyMigratedFile(dataDir: string): Promise<void> {
  file ??= findMigratedFile()
  await copyFile(await file, join(dataDir, 'fairlead.db'))
}

async function findMigratedFile(): Promise<string> {
  const path = join(cacheFolder, `${digestMigrations()}.db`)
  if (existsSync(path)) return path
  await mkdir(cacheFolder, { recursive: true })
  const dataDir = await mkdtemp(join(cacheFolder, 'migrating-'))
  // Closing the last connection moves the write-ahead log into the file.
  await (await openDatabase({ databaseUrl: null, dataDir })).db.destroy()
  // Of several processes that come here at once, the last one replaces equal files.
  await rename(join(dataDir, 'fairlead.db'), path)
  await rm(dataDir, { recursive: true })
  return path
}

/** Returns the name of the migrated database that `create database … template …` copies. */
export function findTemplate(serverUrl: string): Promise<string> {
  template ??= createTemplate(serverUrl)
  return template
}

async function createTemplate(serverUrl: string): Promise<string> {
  const name = `fairlead_template_${digestMigrations()}`
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await migrateTemplate(client, serverUrl, name)
  } finally {
    // The end of the connection releases the lock.
    await client.end()
  }
  return name
}

/** Gives the database its name only when it is complete, so that a killed test leaves no half of one. */
async function migrateTemplate(client: Client, serverUrl: string, name: string): Promise<void> {
  const unfinished = `fairlead_migrating_${randomBytes(6).toString('hex')}`
  await client.query(`create database ${unfinished}`)
  const url = new URL(serverUrl)
  url.pathname = `/${unfinished}`
  await (await openDatabase({ databaseUrl: url.href, dataDir: '' })).db.destroy()
  await client.query(`alter database ${unfinished} rename to ${name}`)
}
