/**
 * The tables as Kysely types, for both databases. Times are epoch milliseconds; structured values that are never
 * searched are JSON text. See docs/data-model.md.
 */
import type { CrashGroupStatus, CrashKind, CrashSource, Platform, Role } from '@fairlead/contract'
import type { Generated, Selectable } from 'kysely'
import type { TestsSchema } from './tests-schema.ts'

interface WorkspacesTable {
  id: Generated<number>
  name: string
  link_lifetime_ms: number
  /** Builds older than this are deleted. Null keeps them for ever. */
  retention_ms: number | null
  /** 1 when members have to sign in with a second factor, otherwise 0. */
  requires_two_factor: Generated<number>
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
  /** The name of the account or token that made it; null for tokens that the server made. */
  created_by: string | null
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
  /** The branch whose test runs others are compared with. */
  default_branch: Generated<string>
  /** The address of a commit, with `{commit}` where the hash belongs. */
  commit_url: string | null
  badge_secret: string | null
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
  blob_id: number
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
  /** `BuildDetails` as JSON. */
  details: string
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
}

/** The text that searches of builds compare with; see `toSearchText`. */
interface BuildSearchTable {
  build_id: number
  text: string
}

interface DistributionGroupsTable {
  id: Generated<number>
  workspace_id: number
  name: string
  /** The lower-cased name, which is unique within the workspace. */
  name_key: string
  created_at: number
}

interface BuildGroupsTable {
  build_id: number
  group_id: number
  distributed_at: number
}

/** Records which testers were mailed about a build, so that nobody is mailed twice. */
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
  /** The UUID that Sentry's tools give a mapping, made from its bytes or chosen by the build. */
  debug_id: string | null
  uploaded_at: number
}

interface SymbolsImagesTable {
  id: Generated<number>
  symbols_file_id: number
  application_id: number
  name: string
  /** A Mach-O UUID in lower case with hyphens, or the map id of an R8 mapping. */
  uuid: string
  architecture: string | null
  /** The lookup file that was built from the image. */
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
  /** The alias, size and digest of the first upload with this key; null in rows from before these columns. */
  alias: string | null
  size: number | null
  sha256: string | null
  created_at: number
}

interface AccountsTable {
  id: Generated<number>
  email: string
  email_key: string
  name: string
  password_hash: string
  /** When the owner of the e-mail address answered a mail; null until then. */
  verified_at: number | null
  /** 1 for accounts that see all accounts and workspaces of the server, otherwise 0. */
  is_server_admin: Generated<number>
  /** The base32 secret of the authenticator app; not in use before `totp_enabled_at` is set. */
  totp_secret: string | null
  totp_enabled_at: number | null
  /** The time step of the last code that was accepted, so that no code works twice. */
  totp_last_step: Generated<number>
  created_at: number
}

/** Unused recovery codes of two-factor sign-in, by their digests. */
interface RecoveryCodesTable {
  account_id: number
  code_hash: string
}

interface MembersTable {
  workspace_id: number
  account_id: number
  role: Role
  created_at: number
}

/** The counts of rate limiters. */
interface AttemptsTable {
  key_hash: string
  attempts: number
  ends_at: number
}

interface SessionsTable {
  id: Generated<number>
  account_id: number
  token_hash: string
  /** The IP address and the User-Agent of the sign-in. */
  address: string | null
  user_agent: string | null
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
  /** The link in the API's answer. */
  token_hash: string
  /** The link in the mail, which proves who opens it; null when no mail is sent. */
  mail_token_hash: string | null
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
  /** Null for mails of the server itself, such as password resets, which workspace administrators may not read. */
  workspace_id: number | null
  /** The build that the mail is about; null when it is about none, or the build is gone. */
  build_id: number | null
  recipient: string
  subject: string
  text: string
  html: string
  /** Release notes that belong into the text and the HTML; null when the mail has none. */
  notes_id: number | null
  /** Replaces the placeholder in text and HTML when the mail is sent; the outbox never shows it. */
  secret: string | null
  status: 'waiting' | 'sent' | 'failed'
  error: string | null
  created_at: number
  sent_at: number | null
}

/** Release notes as the mails of one distribution show them, so that a thousand mails do not store them each. */
interface MailNotesTable {
  id: Generated<number>
  text: string
  html: string
}

/** Who did what in a workspace, kept for a year. */
interface AuditEventsTable {
  id: Generated<number>
  workspace_id: number
  action: string
  actor_kind: 'account' | 'token' | 'unknown'
  actor_id: number | null
  actor_name: string
  address: string | null
  /** The path of the request, in which secrets are masked. */
  target: string | null
  /** JSON. */
  details: string
  created_at: number
}

interface JobsTable {
  id: Generated<number>
  kind: string
  /** At most one job exists per key. */
  key: string | null
  payload: string
  run_at: number
  /** The number of claims so far. A worker compares it to find out whether its claim is still valid. */
  attempts: Generated<number>
  /** The end of the current claim; until then no other worker takes the job. Null when the job is unclaimed. */
  claimed_until: number | null
  last_error: string | null
  created_at: number
}

interface CrashKeysTable {
  id: Generated<number>
  application_id: number
  name: string
  key: string
  is_enabled: number
  created_at: number
  last_used_at: number | null
}

/** Deliveries that were acknowledged and not read yet, as they were sent. */
interface CrashInboxTable {
  id: Generated<number>
  application_id: number
  protocol: string
  /** The Content-Encoding of the body; null for a plain one. */
  encoding: string | null
  /** Fields that the request's headers add, as JSON. */
  options: string
  body: Uint8Array
  received_at: number
}

interface CrashDropsTable {
  application_id: number
  reason: string
  count: number
}

interface CrashRulesTable {
  application_id: number
  /** A list of `CrashRule` as JSON. */
  rules: string
}

/** A version of an app as its crashes and sessions name it. Empty text stands for what they do not say. */
interface ReleasesTable {
  id: Generated<number>
  application_id: number
  package: string
  short_version: string
  version: string
  first_seen_at: number
}

interface CrashGroupsTable {
  id: Generated<number>
  application_id: number
  kind: CrashKind
  title: string
  culprit: string | null
  /** JSON lists. */
  exception_types: string
  key: string
  skipped_frames: string
  status: CrashGroupStatus
  is_regressed: Generated<number>
  resolved_in_version: string | null
  resolved_release_id: number | null
  ignored_until: number | null
  assignee_id: number | null
  crash_count: Generated<number>
  install_count: Generated<number>
  /** The set of installs; see crashes/install-sketch.ts. */
  sketch: Uint8Array | null
  first_seen_at: number
  last_seen_at: number
  first_release_id: number | null
  last_release_id: number | null
  /** The group that took over the crashes of an emptied one. */
  redirect_id: number | null
  mail_reason: 'new' | 'regressed' | 'spike' | null
  mail_due_at: number | null
  mailed_at: number | null
  /** Crashes per hour of the last week, as JSON. */
  hours: string | null
  created_at: number
}

interface CrashGroupKeysTable {
  application_id: number
  key_hash: string
  group_id: number
  /** 1 for keys that somebody merged by hand. */
  is_manual: Generated<number>
}

/** The crashed thread as it came. Equal ones are one row, which all counters belong to. */
interface CrashStacksTable {
  id: Generated<number>
  application_id: number
  hash: string
  group_id: number
  /** The group that somebody put the stack into by splitting; it stays there whatever its key. */
  pinned_group_id: number | null
  key_hash: string
  /** `StackContent` and `ResolvedStack` of packages/crashes as compressed JSON. */
  content: Uint8Array
  resolved: Uint8Array
  crash_count: Generated<number>
  first_seen_at: number
  last_seen_at: number
  first_release_id: number | null
  last_release_id: number | null
  first_crash_id: number | null
  /** How often the stack was asked to be read again since it was: its symbols came, or the rules changed. */
  is_stale: Generated<number>
  created_at: number
}

/** Symbols that a stack is read with, or would be if they were there. */
interface CrashWaitsTable {
  stack_id: number
  application_id: number
  kind: 'proguard' | 'dsym'
  ref: string
  name: string | null
  release_id: number | null
  /** 0 for images of the system, whose symbols nobody is asked for. */
  is_needed: number
  is_found: number
}

interface CrashesTable {
  id: Generated<number>
  application_id: number
  stack_id: number
  source: CrashSource
  source_id: string
  kind: CrashKind
  is_fatal: number
  occurred_at: number
  received_at: number
  release_id: number | null
  device_model: string | null
  os_name: string | null
  os_version: string | null
  install_id: string | null
}

interface CrashReportsTable {
  crash_id: number
  stack_id: number
  is_first: number
  /** `KeptReport` as compressed JSON. */
  body: Uint8Array
}

interface CrashDaysTable {
  stack_id: number
  release_id: number
  /** Days since 1970 in UTC. */
  day: number
  count: number
}

interface CrashValuesTable {
  stack_id: number
  kind: 'os' | 'device'
  value: string
  count: number
}

interface CrashSketchesTable {
  stack_id: number
  release_id: number
  sketch: Uint8Array
}

interface SessionDaysTable {
  application_id: number
  release_id: number
  day: number
  started_count: number
  crashed_count: number
}

/** Sessions of the last days, so that one that is sent twice is counted once. */
interface SessionMarksTable {
  application_id: number
  session: string
  is_started: number
  is_crashed: number
  marked_at: number
}

/** Parts of symbols that sentry-cli uploads before it names the whole. */
interface DebugChunksTable {
  workspace_id: number
  sha1: string
  blob_id: number
  created_at: number
}

/** An upload that may go on where it stopped; see decision 015. */
interface UnfinishedUploadsTable {
  id: string
  workspace_id: number
  application_id: number
  /** The API token that began it, or null where an account did. */
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

export interface Schema extends TestsSchema {
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
  build_search: BuildSearchTable
  accounts: AccountsTable
  audit_events: AuditEventsTable
  members: MembersTable
  attempts: AttemptsTable
  sessions: SessionsTable
  invitations: InvitationsTable
  password_resets: PasswordResetsTable
  recovery_codes: RecoveryCodesTable
  mails: MailsTable
  mail_notes: MailNotesTable
  jobs: JobsTable
  crash_keys: CrashKeysTable
  crash_inbox: CrashInboxTable
  crash_drops: CrashDropsTable
  crash_rules: CrashRulesTable
  releases: ReleasesTable
  crash_groups: CrashGroupsTable
  crash_group_keys: CrashGroupKeysTable
  crash_stacks: CrashStacksTable
  crash_waits: CrashWaitsTable
  crashes: CrashesTable
  crash_reports: CrashReportsTable
  crash_days: CrashDaysTable
  crash_values: CrashValuesTable
  crash_sketches: CrashSketchesTable
  session_days: SessionDaysTable
  session_marks: SessionMarksTable
  debug_chunks: DebugChunksTable
  unfinished_uploads: UnfinishedUploadsTable
  upload_parts: UploadPartsTable
}

/** A row as Kysely returns it. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

/** An install or download that is counted. */
export type NewInstall = Omit<Row<'installs'>, 'id'>
