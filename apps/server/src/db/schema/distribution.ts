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
  created_at: number
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
  group_testers: GroupTestersTable
}
