import type { AlertKind } from '@fairlead/contract'
import { parseJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { tellHooks } from '../hooks/tell-hooks.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { hasFiredSince, insertAlert, insertNotices } from './alerts-store.ts'
import { findQuietEnd } from './quiet-hours.ts'
import { listActiveRules, listMemberRoles, listReceivers, type RuleRow, updateRuleRow } from './store.ts'

const minuteMs = 60_000

/** The fact that a rule tells people of. */
export interface Occurrence {
  /** The crash group, the test run or the feedback; null for what is measured. */
  subjectId: number | null
  value: number | null
  /** One line that says what happened. */
  title: string
  detail: string | null
  /** The member who works on it, and who is then mailed alone, if the rule mails that member at all. */
  assigneeId?: number | null
}

const subjects: Partial<Record<AlertKind, string>> = {
  newCrashGroup: 'crashGroupId',
  crashRegression: 'crashGroupId',
  testVerdict: 'testRunId',
  feedback: 'feedbackId',
}

/**
 * Fires the rules of a kind for what has happened. Call it in the transaction of the change, and wake the worker after
 * the commit. A rule stays silent about a subject that it told of within its cooldown.
 */
export async function fireOccurrences(
  trx: Db,
  { applicationId, kind }: { applicationId: number; kind: AlertKind },
  occurrences: readonly Occurrence[],
): Promise<void> {
  if (occurrences.length === 0) return
  const now = Date.now()
  for (const rule of await listActiveRules(trx, applicationId, [kind])) {
    for (const occurrence of occurrences) {
      const { subjectId } = occurrence
      const since = now - rule.cooldown_minutes * minuteMs
      if (subjectId !== null && (await hasFiredSince(trx, rule.id, subjectId, since))) continue
      await fireRule(trx, rule, occurrence, now)
    }
  }
}

/** Records an alert, tells hooks, and lets its mails wait until they are due. */
export async function fireRule(trx: Db, rule: RuleRow, occurrence: Occurrence, now: number): Promise<void> {
  const { workspace_id: workspaceId, application_id: applicationId, kind, threshold, window_minutes: minutes } = rule
  const { subjectId, value, title, detail } = occurrence
  const alertId = await insertAlert(trx, {
    workspace_id: workspaceId,
    application_id: applicationId,
    rule_id: rule.id,
    rule_name: rule.name,
    kind,
    title,
    detail,
    value,
    threshold,
    window_minutes: minutes,
    subject_id: subjectId,
    fired_at: now,
  })
  await updateRuleRow(trx, rule.id, { last_fired_at: now })
  const { hookIds, accountIds } = (await listReceivers(trx, [rule.id])).get(rule.id) ?? { hookIds: [], accountIds: [] }
  const subject = subjects[kind]
  await tellHooks(trx, { type: 'alert.fired', workspaceId, applicationId, hookIds }, () => ({
    data: {
      alertRuleId: rule.id,
      kind,
      name: rule.name,
      title,
      value,
      threshold,
      windowMinutes: minutes,
      ...(subject !== undefined && { [subject]: subjectId }),
    },
  }))
  await addNotices(trx, rule, { alertId, accountIds, assigneeId: occurrence.assigneeId ?? null }, now)
}

async function addNotices(
  trx: Db,
  rule: RuleRow,
  { alertId, accountIds, assigneeId }: { alertId: number; accountIds: number[]; assigneeId: number | null },
  now: number,
): Promise<void> {
  const roles = parseJsonText(rule.roles)
  const members = await listMemberRoles(trx, rule.workspace_id)
  const all = members.filter(({ account_id: id, role }) => accountIds.includes(id) || roles.includes(role))
  const assigned = all.filter(({ account_id: id }) => id === assigneeId)
  const recipients = assigned.length > 0 ? assigned : all
  if (recipients.length === 0) return
  const sendAt = now + rule.digest_minutes * minuteMs
  const quietEnd = rule.quiet_hours === null ? undefined : findQuietEnd(parseJsonText(rule.quiet_hours), sendAt)
  const dueAt = Math.max(quietEnd ?? sendAt, now)
  const { workspace_id, application_id, id: rule_id } = rule
  await insertNotices(
    trx,
    recipients.map(({ account_id }) => ({
      workspace_id,
      application_id,
      rule_id,
      alert_id: alertId,
      account_id,
      due_at: dueAt,
      is_held: quietEnd === undefined ? 0 : 1,
    })),
  )
  await enqueueJobs(trx, [toMailJob(application_id, dueAt)])
}

/** Mails that are due in the same minute are made by one job. */
export function toMailJob(applicationId: number, dueAt: number) {
  const key = `mail-alerts:${applicationId}:${Math.ceil(dueAt / minuteMs)}`
  return { kind: 'mail-alerts' as const, key, payload: { applicationId }, runAt: dueAt }
}
