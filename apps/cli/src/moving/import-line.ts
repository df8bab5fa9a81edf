import type { RemoteFlags } from '../flags.ts'

export interface ImportFlags extends RemoteFlags {
  readonly createApps: boolean
  readonly distribute: boolean
  readonly dryRun: boolean
}

/** What became of one thing of an export. */
export interface ImportLine {
  kind: 'build' | 'symbols'
  path: string
  /** The build or the symbols, for people. */
  what: string
  /** Taken over; on the server already; or left, with the reason in the note. */
  outcome: 'taken' | 'there' | 'left'
  note: string
}
