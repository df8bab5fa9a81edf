/** The tables of alert rules, what they told of, and their counts, as Kysely types. */
import type { AlertKind, QuietHours, Role } from '@fairlead/contract'
import type { Generated } from 'kysely'
import type { JsonText } from '../json-text.ts'

interface AlertRulesTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  name: string
  kind: AlertKind
  threshold: number | null
  window_minutes: number | null
  minimum: number | null
  branch: string | null
  roles: JsonText<Role[]>
  quiet_hours: JsonText<QuietHours> | null
  digest_minutes: number
  cooldown_minutes: number
  is_enabled: Generated<number>
  /** Whether what is measured was over the line when it was looked at last. */
  is_firing: Generated<number>
  /** Whether it was below the line since the rule fired. */
  is_armed: Generated<number>
  last_fired_at: number | null
  created_at: number
  created_by: string | null
}

interface AlertRuleHooksTable {
  rule_id: number
  hook_id: number
}

interface AlertRuleAccountsTable {
  rule_id: number
  workspace_id: number
  account_id: number
}

interface AlertsTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  /** Null when the rule was deleted. */
  rule_id: number | null
  rule_name: string
  kind: AlertKind
  title: string
  detail: string | null
  value: number | null
  threshold: number | null
  window_minutes: number | null
  /** The crash group, the test run or the feedback, by the kind. */
  subject_id: number | null
  fired_at: number
}

/** An alert that a member is yet to be mailed. */
interface AlertNoticesTable {
  id: Generated<number>
  workspace_id: number
  application_id: number
  rule_id: number
  alert_id: number
  account_id: number
  due_at: number
  /** 1 if quiet hours hold it. */
  is_held: Generated<number>
}

/** What happened in one minute, counted since 1970. Kept a day longer than the longest window. */
interface AlertMinutesTable {
  application_id: number
  minute: number
  crashes: Generated<number>
  installs: Generated<number>
  started_sessions: Generated<number>
  crashed_sessions: Generated<number>
}

export interface AlertsSchema {
  alert_rules: AlertRulesTable
  alert_rule_hooks: AlertRuleHooksTable
  alert_rule_accounts: AlertRuleAccountsTable
  alerts: AlertsTable
  alert_notices: AlertNoticesTable
  alert_minutes: AlertMinutesTable
}
