/**
 * The tables, as Kysely sees them on both engines. Times are epoch milliseconds; what is read whole and never
 * searched stands as JSON text.
 */
import type { Platform, Role } from '@fairlead/contract'
import type { Generated, Selectable } from 'kysely'

interface WorkspacesTable {
  id: Generated<number>
  name: string
  link_lifetime_ms: number
  /** Builds older than this are deleted; null keeps them for ever. */
  retention_ms: number | null
  created_at: number
}

interface SettingsTable {
  key: string
  value: string
}

interface ApiTokensTable {
  id: Generated<number>
  workspace_id: number
  name: string
  role: Role
  token_hash: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
}

interface ApplicationsTable {
  id: Generated<number>
  workspace_id: number
  alias: string
  name: string
  platform: Platform
  bundle_identifier: string | null
  build_count: Generated<number>
  created_at: number
}

interface BlobsTable {
  id: Generated<number>
  sha256: string
  /** Where the blob store keeps the bytes. */
  key: string
  size: number
  reference_count: number
  created_at: number
}

interface BuildsTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  blob_id: number
  icon_blob_id: number | null
  icon_type: string | null
  /** 128 random bits: what an install link is made of. */
  secret: string
  short_version: string
  version: string
  bundle_identifier: string
  name: string
  file_name: string
  release_notes: string | null
  min_os_version: string | null
  target_os_version: string | null
  /** JSON of `BuildDetails`. */
  details: string
  source_branch: string | null
  source_commit: string | null
  source_ci_url: string | null
  uploaded_by: string
  uploaded_at: number
  expires_at: number
  install_count: Generated<number>
}

interface DistributionGroupsTable {
  id: Generated<number>
  workspace_id: number
  name: string
  /** The name without case, by which it is unique. */
  name_key: string
  created_at: number
}

interface BuildGroupsTable {
  build_id: number
  group_id: number
  distributed_at: number
}

/** Who was told of a build by mail, so that nobody is told twice. */
interface BuildNotificationsTable {
  build_id: number
  tester_id: number
  created_at: number
}

interface TestersTable {
  id: Generated<number>
  workspace_id: number
  email: string
  email_key: string
  name: string | null
  created_at: number
}

interface GroupTestersTable {
  group_id: number
  tester_id: number
}

interface SymbolsFilesTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  blob_id: number
  kind: 'proguard' | 'dsym'
  short_version: string | null
  version: string | null
  bundle_identifier: string | null
  uploaded_at: number
}

interface SymbolsImagesTable {
  id: Generated<number>
  symbols_file_id: number
  application_id: number
  name: string
  /** A Mach-O UUID in lower case with hyphens, or the map id of a mapping. */
  uuid: string
  architecture: string | null
  /** The lookup file built from it. */
  blob_id: number | null
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
  created_at: number
}

interface AccountsTable {
  id: Generated<number>
  email: string
  email_key: string
  name: string
  password_hash: string
  created_at: number
}

interface MembersTable {
  workspace_id: number
  account_id: number
  role: Role
  created_at: number
}

interface SessionsTable {
  id: Generated<number>
  account_id: number
  token_hash: string
  created_at: number
  last_used_at: number
  expires_at: number
}

interface InvitationsTable {
  id: Generated<number>
  workspace_id: number
  email: string
  email_key: string
  role: Role
  token_hash: string
  created_at: number
  expires_at: number
}

interface PasswordResetsTable {
  id: Generated<number>
  account_id: number
  token_hash: string
  expires_at: number
}

interface MailsTable {
  id: Generated<number>
  /** Null for mails of the server itself, which no administrator of a workspace may read. */
  workspace_id: number | null
  /** The build that the mail is about; null when it is about none, or the build is gone. */
  build_id: number | null
  recipient: string
  subject: string
  text: string
  html: string
  status: 'waiting' | 'sent' | 'failed'
  error: string | null
  created_at: number
  sent_at: number | null
}

interface JobsTable {
  id: Generated<number>
  kind: string
  /** At most one job waits under a key. */
  key: string | null
  payload: string
  run_at: number
  /** How often it was claimed; tells a worker whether the claim is still its own. */
  attempts: Generated<number>
  /** While a worker has it: until when nobody else may take it. */
  claimed_until: number | null
  last_error: string | null
  created_at: number
}

export interface Schema {
  workspaces: WorkspacesTable
  settings: SettingsTable
  api_tokens: ApiTokensTable
  applications: ApplicationsTable
  blobs: BlobsTable
  builds: BuildsTable
  distribution_groups: DistributionGroupsTable
  build_groups: BuildGroupsTable
  build_notifications: BuildNotificationsTable
  testers: TestersTable
  group_testers: GroupTestersTable
  symbols_files: SymbolsFilesTable
  symbols_images: SymbolsImagesTable
  build_images: BuildImagesTable
  installs: InstallsTable
  idempotency_keys: IdempotencyKeysTable
  accounts: AccountsTable
  members: MembersTable
  sessions: SessionsTable
  invitations: InvitationsTable
  password_resets: PasswordResetsTable
  mails: MailsTable
  jobs: JobsTable
}

/** A row as it is read. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
