import type { AppReader } from '@fairlead/binary'
import type { CrashReader } from '@fairlead/crashes'
import type { LogReader, ReportReader } from '@fairlead/reports'
import type { Symbolicator } from '@fairlead/symbols'
import type { Logger } from 'pino'
import type { BlobStore } from './blobs/blob-store.ts'
import type { Delivery } from './settings/delivery.ts'
import type { DiskReserve } from './blobs/disk-reserve.ts'
import type { Staging } from './blobs/staging.ts'
import type { CommitReader } from './commit-lists/commit-reader.ts'
import type { Config } from './config.ts'
import type { ChangeFeed } from './db/change-feed.ts'
import type { Db } from './db/open.ts'
import type { ReadMemo } from './db/read-memo.ts'
import type { DeviceReader } from './device-messages/device-reader.ts'
import type { NewInstall } from './db/schema.ts'
import type { Batch } from './jobs/batch.ts'
import type { WakeUp } from './jobs/wake-up.ts'
import type { PictureCleaner } from './pictures/picture-cleaner.ts'
import type { Providers } from './oidc/open-providers.ts'
import type { Guard } from './passwords/guard.ts'

/** The services that the verbs use, one instance per process. */
export interface AppContext extends AsyncDisposable {
  config: Config
  db: Db
  /** Caches hot reads of `db` until the next write. */
  memo: ReadMemo
  /** Tells what has changed in the database. */
  feed: ChangeFeed
  /** The blob store, the staging folder, the program that sends downloads, and the disk space that uploads leave. */
  blobs: BlobStore & { staging: Staging; delivery: Delivery; reserve: DiskReserve }
  log: Logger
  /** Worker processes that parse untrusted input. */
  readers: {
    apps: AppReader
    commits: CommitReader
    crashes: Symbolicator
    deliveries: CrashReader
    devices: DeviceReader
    logs: LogReader
    pictures: PictureCleaner
    reports: ReportReader
  }
  /** Wakes the job worker when a job has been enqueued. */
  jobs: WakeUp
  /** Collects counted installs until they are written. */
  installs: Batch<NewInstall>
  /** The HMAC key of personal links, download grants and CSRF tokens; keys of sealed cookies come from it. */
  signingKey: Buffer
  /** Hashes passwords and rate-limits attempts. */
  guard: Guard
  /** The OpenID providers that people sign in through. */
  providers: Providers
}
