import { type AlertKind, type AlertRecord, type AlertRule, ApiError } from '@fairlead/contract'
import { parseJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import { findRuleRow, listReceivers, type RuleRow } from './store.ts'

/** Kinds whose value is compared with a threshold over a window. */
const measured: ReadonlySet<AlertKind> = new Set(['crashCount', 'installCount', 'crashFreeRate', 'flakyRate'])
const rates: ReadonlySet<AlertKind> = new Set(['crashFreeRate', 'flakyRate'])

export const isMeasured = (kind: AlertKind): boolean => measured.has(kind)
export const isRate = (kind: AlertKind): boolean => rates.has(kind)
/** Kinds that have a state, which a job looks at. */
export const lookedAtKinds: AlertKind[] = [...measured, 'testVerdict']

/** @throws {ApiError} alertRuleNotFound */
export async function requireRule(db: Db, workspaceId: number, id: number): Promise<RuleRow> {
  const rule = await findRuleRow(db, workspaceId, id)
  if (!rule) throw new ApiError('alertRuleNotFound')
  return rule
}

export async function describeRules(db: Db, rows: RuleRow[]): Promise<AlertRule[]> {
  const receivers = await listReceivers(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    applicationId: row.application_id,
    name: row.name,
    kind: row.kind,
    threshold: row.threshold,
    windowMinutes: row.window_minutes,
    minimum: row.minimum,
    branch: row.branch,
    ...(receivers.get(row.id) ?? { hookIds: [], accountIds: [] }),
    roles: parseJsonText(row.roles),
    quietHours: row.quiet_hours === null ? null : parseJsonText(row.quiet_hours),
    digestMinutes: row.digest_minutes,
    cooldownMinutes: row.cooldown_minutes,
    isEnabled: row.is_enabled === 1,
    state: row.is_firing === 1 ? 'firing' : 'ok',
    lastFiredDate: toInstantOrNull(row.last_fired_at),
    createdDate: toInstant(row.created_at),
    createdBy: row.created_by,
  }))
}

export async function describeRule(db: Db, row: RuleRow): Promise<AlertRule> {
  const [rule] = await describeRules(db, [row])
  if (!rule) throw new ApiError('alertRuleNotFound')
  return rule
}

export function toAlertRecord(row: Row<'alerts'>): AlertRecord {
  const { kind, subject_id: subjectId } = row
  const isOfGroup = kind === 'newCrashGroup' || kind === 'crashRegression'
  return {
    id: row.id,
    applicationId: row.application_id,
    alertRuleId: row.rule_id,
    ruleName: row.rule_name,
    kind,
    title: row.title,
    detail: row.detail,
    value: row.value,
    threshold: row.threshold,
    windowMinutes: row.window_minutes,
    crashGroupId: isOfGroup ? subjectId : null,
    testRunId: kind === 'testVerdict' ? subjectId : null,
    feedbackId: kind === 'feedback' ? subjectId : null,
    firedDate: toInstant(row.fired_at),
  }
}
