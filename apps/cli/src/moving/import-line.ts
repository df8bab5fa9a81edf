import type { RemoteFlags } from '../flags.ts'

export interface ImportFlags extends RemoteFlags {
  readonly createApps: boolean
  readonly distribute: boolean
  readonly dryRun: boolean
}

/** The result of importing one item of an export. */
export interface ImportLine {
  kind: 'build' | 'symbols'
  path: string
  /** The name of the build or of the symbols, as shown to people. */
  what: string
  /** Imported, already on the server, or skipped with the reason in the note. */
  outcome: 'taken' | 'there' | 'left'
  note: string
}
