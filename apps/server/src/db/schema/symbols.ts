/** The tables of symbols files as Kysely types. */
import type { SymbolsKind } from '@fairlead/contract'
import type { Generated } from 'kysely'

interface SymbolsFilesTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  blob_id: number
  kind: SymbolsKind
  short_version: string | null
  version: string | null
  bundle_identifier: string | null
  /** The UUID that Sentry's tools give a mapping, made from its bytes or chosen by the build. */
  debug_id: string | null
  uploaded_at: number
}

interface SymbolsImagesTable {
  id: Generated<number>
  symbols_file_id: number
  application_id: number
  name: string
  /** A UUID of Mach-O or a debug id, in upper case with hyphens, or the map id of an R8 mapping; empty for none. */
  uuid: string
  architecture: string | null
  /** The build id of an ELF file in hexadecimal. */
  code_id: string | null
  /** Of several ELF files with one build id, the one with the lowest rank says most. */
  detail_rank: Generated<number>
  /** The lookup file that was built from the image. */
  blob_id: number | null
}

/** Chunks of symbols files that sentry-cli uploads before it names the whole file. */
interface DebugChunksTable {
  workspace_id: number
  sha1: string
  blob_id: number
  created_at: number
}

export interface SymbolsSchema {
  symbols_files: SymbolsFilesTable
  symbols_images: SymbolsImagesTable
  debug_chunks: DebugChunksTable
}
