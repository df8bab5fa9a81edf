/** The tables of testers and distribution as Kysely types. */
import type { Generated } from 'kysely'

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
  /** Signed with the addresses of the tester's pages, so that a new one ends them; null for the first ones. */
  link_salt: string | null
  created_at: number
}

/** An address that takes no mails to testers. It outlives the tester, so that nobody is subscribed by being added. */
interface UnsubscribesTable {
  workspace_id: number
  email_key: string
  created_at: number
}

/** What a tester did with a build, and which reminders were sent. */
interface BuildTestersTable {
  workspace_id: number
  build_id: number
  tester_id: number
  /** When a page of the tester first showed the build; null when none did. */
  opened_at: number | null
  /** When the last reminder was asked for. */
  reminded_at: number | null
  reminder_count: Generated<number>
  /** 1 while the mail of the last reminder is not in the outbox yet. */
  is_reminder_due: Generated<number>
}

interface GroupTestersTable {
  group_id: number
  tester_id: number
}

export interface DistributionSchema {
  distribution_groups: DistributionGroupsTable
  build_groups: BuildGroupsTable
  build_notifications: BuildNotificationsTable
  testers: TestersTable
  unsubscribes: UnsubscribesTable
  build_testers: BuildTestersTable
  group_testers: GroupTestersTable
}
