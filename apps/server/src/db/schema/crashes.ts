/** The tables of crashes, their stacks and groups as Kysely types. */
import type {
  CrashGroup,
  CrashGroupStatus,
  CrashKind,
  CrashPlatform,
  CrashRule,
  CrashSource,
  SymbolsKind,
} from '@fairlead/contract'
import type { Generated } from 'kysely'
import type { JsonText } from '../json-text.ts'

interface CrashGroupsTable {
  id: Generated<number>
  application_id: number
  kind: CrashKind
  title: string
  culprit: string | null
  exception_types: JsonText<CrashGroup['exceptionTypes']>
  key: JsonText<CrashGroup['key']>
  skipped_frames: JsonText<CrashGroup['skippedFrames']>
  status: CrashGroupStatus
  is_regressed: Generated<number>
  resolved_in_version: string | null
  resolved_release_id: number | null
  ignored_until: number | null
  assignee_id: number | null
  crash_count: Generated<number>
  install_count: Generated<number>
  /** The set of installs; see crash-releases/install-sketch.ts. */
  sketch: Uint8Array | null
  first_seen_at: number
  last_seen_at: number
  first_release_id: number | null
  last_release_id: number | null
  /** The group that took over the crashes of an emptied one. */
  redirect_id: number | null
  mail_reason: 'new' | 'regressed' | 'spike' | 'still crashing' | null
  mail_due_at: number | null
  mailed_at: number | null
  /** Crashes per hour of the last week. */
  hours: JsonText<Record<string, number>> | null
  /** The message of the newest crash, with personal data masked. */
  message: string | null
  tracker_url: string | null
  /** 1 when the version that was to resolve the group crashes itself. */
  is_still_crashing: Generated<number>
  resolved_at: number | null
  /** The counts from which on an ignored group is open again. */
  ignored_until_crashes: number | null
  ignored_until_installs: number | null
  created_at: number
}

interface CrashGroupKeysTable {
  application_id: number
  key_hash: string
  group_id: number
  /** 1 for keys that somebody merged by hand. */
  is_manual: Generated<number>
}

interface CrashRulesTable {
  application_id: number
  rules: JsonText<CrashRule[]>
}

/** The crashed thread as the app sent it. Equal stacks share one row, which all counters belong to. */
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
  /** How often new symbols or changed rules have required that the stack be read again since it was last read. */
  is_stale: Generated<number>
  created_at: number
}

/** Symbols that a stack needs, whether they are stored or missing. */
interface CrashWaitsTable {
  stack_id: number
  application_id: number
  kind: SymbolsKind
  ref: string
  name: string | null
  /** The build id of an ELF file in hexadecimal. */
  code_id: string | null
  release_id: number | null
  /** 0 for images of the operating system, whose symbols nobody has to upload. */
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
  platform: CrashPlatform | null
  /** Tags by key. */
  tags: JsonText<Record<string, string>> | null
  /** 1 for an old crash that stays for as long as its group. */
  is_lasting: Generated<number>
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
  /** The value of a tag is `key:value`. */
  kind: 'os' | 'device' | 'tag'
  value: string
  count: number
}

interface CrashSketchesTable {
  stack_id: number
  release_id: number
  sketch: Uint8Array
}

interface CrashCommentsTable {
  id: Generated<number>
  group_id: number
  account_id: number | null
  text: string
  created_at: number
}

/** Keys whose crashes are counted as dropped. */
interface CrashDiscardsTable {
  application_id: number
  key_hash: string
  title: string
  discarded_at: number
}

/** What CI says of a release. A row of `releases` is one that crashes or sessions have named. */
interface DeclaredReleasesTable {
  id: Generated<number>
  application_id: number
  /** Such as `package@version+build`. */
  version: string
  url: string | null
  commit_sha: string | null
  is_archived: Generated<number>
  created_at: number
  released_at: number | null
}

/** Packages of an application's own code, which its builds have named. */
interface OwnPackagesTable {
  application_id: number
  package: string
}

interface ReleaseDeploysTable {
  id: Generated<number>
  release_id: number
  environment: string
  name: string | null
  url: string | null
  started_at: number | null
  finished_at: number | null
}

export interface CrashesSchema {
  declared_releases: DeclaredReleasesTable
  release_deploys: ReleaseDeploysTable
  own_packages: OwnPackagesTable
  crash_comments: CrashCommentsTable
  crash_discards: CrashDiscardsTable
  crash_groups: CrashGroupsTable
  crash_group_keys: CrashGroupKeysTable
  crash_rules: CrashRulesTable
  crash_stacks: CrashStacksTable
  crash_waits: CrashWaitsTable
  crashes: CrashesTable
  crash_reports: CrashReportsTable
  crash_days: CrashDaysTable
  crash_values: CrashValuesTable
  crash_sketches: CrashSketchesTable
}
