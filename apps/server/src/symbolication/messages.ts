/** What passes between the server and the thread that symbolicates. */
import type { SymbolicatedReport, SymbolsErrorCode } from '@fairlead/symbols'

export interface SymbolicateRequest {
  text: string
  /** Lookup files by `toImageKey`. */
  lookupFiles: Record<string, string>
  mappingFiles: string[]
}

export type SymbolicateAnswer = { report: SymbolicatedReport } | { error: { code: SymbolsErrorCode; detail: string } }

/** Architectures of one UUID may differ, as arm64 and arm64e do in a report; the UUID alone is the identity. */
export function toImageKey(uuid: string): string {
  return uuid.toUpperCase()
}
