/** The tables of applications, their builds and the stored bytes as Kysely types. */
import type { Platform } from '@fairlead/contract'
import type { Generated } from 'kysely'
import type { JsonText } from '../json-text.ts'
import type { BuildDetails } from './build-details.ts'

interface ApplicationsTable {
  id: Generated<number>
  workspace_id: number
  alias: string
  name: string
  platform: Platform
  bundle_identifier: string | null
  build_count: Generated<number>
  /** The number of the newest build. Numbers of deleted builds are not given again. */
  last_build_number: Generated<number>
  /** The branch whose test runs others are compared with. */
  default_branch: Generated<string>
  /** The address of a commit, with `{commit}` where the hash belongs. */
  commit_url: string | null
  badge_secret: string | null
  /** The application for the other platform, whose symbols are used for the crashes of this one, too. */
  linked_application_id: number | null
  /** Whether `extra` and further contexts of crashes are kept. */
  keeps_custom_data: Generated<number>
  /** Grows when a symbols file is added or deleted. */
  symbols_version: Generated<number>
  created_at: number
}

interface BlobsTable {
  id: Generated<number>
  sha256: string
  /** The key of the bytes in the blob store. */
  key: string
  size: number
  reference_count: number
  created_at: number
}

interface BuildsTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  /** Counts the builds of the application, from 1. */
  number: number
  blob_id: number
  /** That of the blob, in bytes, beside what lists are sorted by. */
  size: number
  icon_blob_id: number | null
  icon_type: string | null
  /** 128 random bits that identify the build in its install link. */
  secret: string
  short_version: string
  version: string
  bundle_identifier: string
  name: string
  file_name: string
  release_notes: string | null
  min_os_version: string | null
  target_os_version: string | null
  details: JsonText<BuildDetails>
  source_branch: string | null
  source_commit: string | null
  source_ci_url: string | null
  uploaded_by: string
  uploaded_at: number
  expires_at: number
  install_count: Generated<number>
  /** An argon2id hash; null for a link without a password. */
  link_password_hash: string | null
  /** Null for a link that was not revoked. */
  link_revoked_at: number | null
  /** Null for a build that retention rules may take. */
  pinned_at: number | null
  /** Null for a build that is not in the trash; see `visibleBuilds`. */
  trashed_at: number | null
  /** The run that moved the build to the trash. */
  retention_run_id: number | null
}

/** The text that searches of builds compare with; see `toSearchText`. */
interface BuildSearchTable {
  build_id: number
  text: string
}

interface BuildImagesTable {
  build_id: number
  name: string
  uuid: string
  architecture: string | null
}

interface InstallsTable {
  id: Generated<number>
  build_id: number
  tester_id: number | null
  kind: 'install' | 'download'
  created_at: number
}

interface IdempotencyKeysTable {
  workspace_id: number
  key: string
  build_id: number
  /** The alias, size and digest of the first upload with this key; null in rows that are older than these columns. */
  alias: string | null
  size: number | null
  sha256: string | null
  created_at: number
}

/** An address of an application that always shows its newest build. */
interface LatestLinksTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  name: string
  /** 128 random bits that identify the link in its address. */
  secret: string
  group_id: number | null
  branch: string | null
  follows: 'distributed' | 'uploaded'
  shows_older: Generated<number>
  /** An argon2id hash; null for a link without a password. */
  link_password_hash: string | null
  /** Null for a link that was not revoked. */
  link_revoked_at: number | null
  /** Null for a link that does not expire. */
  expires_at: number | null
  created_by: string
  created_at: number
}

export interface BuildsSchema {
  applications: ApplicationsTable
  blobs: BlobsTable
  builds: BuildsTable
  build_search: BuildSearchTable
  build_images: BuildImagesTable
  installs: InstallsTable
  idempotency_keys: IdempotencyKeysTable
  latest_links: LatestLinksTable
}
