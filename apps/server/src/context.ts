import type { AppReader } from '@fairlead/binary'
import type { SymbolicatedReport } from '@fairlead/symbols'
import type { Logger } from 'pino'
import type { BlobStore } from './blobs/blob-store.ts'
import type { Staging } from './blobs/staging.ts'
import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { ReadMemo } from './db/read-memo.ts'
import type { WakeUp } from './jobs/wake-up.ts'
import type { Guard } from './passwords/guard.ts'

/** What the verbs work with. */
export interface AppContext extends AsyncDisposable {
  config: Config
  db: Db
  /** Reads of `db` that are asked for again and again. */
  memo: ReadMemo
  /** Files for good, and in `staging` those on their way in. */
  blobs: BlobStore & { staging: Staging }
  log: Logger
  /** Threads that read what came from outside. */
  readers: { apps: AppReader; crashes: CrashReader }
  /** Wakes the worker when there are jobs. */
  jobs: WakeUp
  /** Signs personal links, the links that the installer of a phone follows, and CSRF tokens. */
  signingKey: Buffer
  /** Hashes passwords and limits how often they may be tried. */
  guard: Guard
}

/** Reads crash reports. Lookup files and mappings are paths. */
interface CrashReader {
  /** Rejects with SymbolsError. */
  symbolicate(request: {
    text: string
    /** By the UUID of the image, in upper case. */
    lookupFiles: Record<string, string>
    mappingFiles: string[]
  }): Promise<SymbolicatedReport>
}
