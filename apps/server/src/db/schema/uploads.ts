/** The tables of resumable uploads as Kysely types. */

/** A resumable upload; see decision 015. */
interface UnfinishedUploadsTable {
  id: string
  workspace_id: number
  application_id: number
  /** The API token that began the upload; null if an account began it. */
  api_token_id: number | null
  account_id: number | null
  alias: string
  length: number
  /** Bytes that are durable: the offset of the upload. */
  received: number
  file_name: string | null
  source_branch: string | null
  source_commit: string | null
  source_ci_url: string | null
  idempotency_key: string | null
  /** Null until the build exists. */
  build_id: number | null
  created_at: number
  expires_at: number
}

/** Bytes of an unfinished upload, as a range of a blob that has no row in `blobs`. */
interface UploadPartsTable {
  upload_id: string
  start: number
  size: number
  blob_key: string
  position: number
}

export interface UploadsSchema {
  unfinished_uploads: UnfinishedUploadsTable
  upload_parts: UploadPartsTable
}
