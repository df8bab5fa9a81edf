/** The tables of the server and its workspaces as Kysely types. */
import type { AuditEvent, FeedbackRule, Role } from '@fairlead/contract'
import type { Generated } from 'kysely'
import type { JsonText } from '../json-text.ts'

interface WorkspacesTable {
  id: Generated<number>
  name: string
  link_lifetime_ms: number
  /** The rule for applications without rules of their own: the age at which a build goes to the trash. */
  retention_ms: number | null
  /** When builds began to be deleted sooner; null for a rule from before this was recorded. */
  retention_changed_at: number | null
  /** When the administrators were last told what rules removed. */
  retention_told_at: number | null
  /** 1 when members have to sign in with a second factor, otherwise 0. */
  requires_two_factor: Generated<number>
  /** The key of the provider through which members have to sign in; null for any way. */
  required_provider: string | null
  /** 1 when coding agents may write, otherwise 0. */
  agent_writes: Generated<number>
  feedback: Generated<FeedbackRule>
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
  /** The name of the account or token that created this token; null for tokens that the server created. */
  created_by: string | null
  /** The account that created this token; null for tokens that another token or the server created. */
  account_id: number | null
  /** 1 for the token of a login, which ends with the membership that it came from; otherwise 0. */
  is_login: Generated<number>
  created_at: number
  expires_at: number | null
  last_used_at: number | null
}

interface MembersTable {
  workspace_id: number
  account_id: number
  /** The higher one of `hand_role` and the roles in `member_group_roles`. */
  role: Role
  /** The role that a person gave; null for a member by groups only. */
  hand_role: Role | null
  created_at: number
}

/** What members of a provider's group are in the workspace. */
interface GroupRolesTable {
  workspace_id: number
  /** The place in the list, from 0. */
  position: number
  provider: string
  group_name: string
  role: Role
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
  details: JsonText<AuditEvent['details']>
  created_at: number
}

export interface WorkspacesSchema {
  workspaces: WorkspacesTable
  settings: SettingsTable
  api_tokens: ApiTokensTable
  members: MembersTable
  group_roles: GroupRolesTable
  invitations: InvitationsTable
  audit_events: AuditEventsTable
}
