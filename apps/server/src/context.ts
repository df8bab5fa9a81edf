import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { BlobStore } from './blobs/blob-store.ts'
import { openFileStore } from './blobs/file-store.ts'
import { openStaging, type Staging } from './blobs/staging.ts'
import { type AppReader, createAppReader } from '@fairlead/binary'
import { Symbolicator } from './symbolication/symbolicator.ts'
import type { Config } from './config.ts'
import { type FolderLock, lockFolder } from './db/folder-lock.ts'
import { type Db, openDatabase } from './db/open.ts'
import type { ReadMemo } from './db/read-memo.ts'
import { openLinkKey } from './install/link-key.ts'
import { WakeUp } from './jobs/wake-up.ts'

/** The services that the verbs use, one instance per process. */
export interface AppContext extends AsyncDisposable {
  config: Config
  db: Db
  /** Caches hot reads of `db` until the next write. */
  memo: ReadMemo
  /** The blob store, and in `staging` the files that are still being received. */
  blobs: BlobStore & { staging: Staging }
  log: Logger
  /** Worker threads that parse untrusted input. */
  readers: { apps: AppReader; crashes: Symbolicator }
  /** Wakes the job worker when a job has been enqueued. */
  jobs: WakeUp
  /** The key of the HMAC signatures of install links, personal links and CSRF tokens. */
  linkKey: Buffer
}

/** Opens everything that the configuration names. If a later step fails, the earlier ones are closed again. */
export async function openContext(config: Config): Promise<AppContext> {
  await mkdir(config.dataDir, { recursive: true })
  await using opened = new AsyncDisposableStack()
  const log = pino({ level: config.logLevel })
  if (config.databaseUrl === null) opened.adopt<FolderLock>(lockFolder(config.dataDir), (lock) => lock.release())
  const { db, memo } = await openDatabase(config)
  opened.defer(() => db.destroy())
  const staging = opened.use(await openStaging(join(config.dataDir, 'staging', stagingName(config))))
  const store = await openFileStore(join(config.dataDir, 'blobs'))
  const readers = { apps: opened.use(createAppReader()), crashes: opened.use(new Symbolicator()) }
  const linkKey = await openLinkKey(db)
  const closers = opened.move()
  return {
    config,
    db,
    memo,
    blobs: { ...store, staging },
    log,
    readers,
    jobs: new WakeUp(),
    linkKey,
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

/** Each replica has its own staging folder, because it empties that folder at its start. */
function stagingName(config: Config): string {
  return config.databaseUrl === null ? 'only' : `port-${config.port}`
}
