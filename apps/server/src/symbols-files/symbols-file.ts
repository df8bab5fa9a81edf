import type { SymbolsFile } from '@fairlead/contract'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'

export interface SymbolsFileRecord extends Row<'symbols_files'> {
  size: number
  sha256: string
  images: { name: string; uuid: string; architecture: string | null; code_id: string | null }[]
}

export function toSymbolsFile(record: SymbolsFileRecord): SymbolsFile {
  return {
    id: record.id,
    applicationId: record.application_id,
    kind: record.kind,
    shortVersion: record.short_version,
    version: record.version,
    bundleIdentifier: record.bundle_identifier,
    size: record.size,
    sha256: record.sha256,
    uploadedDate: toInstant(record.uploaded_at),
    images: record.images.map(({ name, uuid, architecture, code_id: codeId }) => {
      // Files of Apple's systems and mappings keep the spelling that clients know.
      const isLowerCase = record.kind !== 'dsym' && record.kind !== 'proguard'
      return { name, uuid: isLowerCase ? uuid.toLowerCase() : uuid, architecture, codeId }
    }),
  }
}
