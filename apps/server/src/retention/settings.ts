import type { Retention, SaveRetention } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { parseJsonText, toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { RunSettings } from '../db/schema/retention.ts'
import { transact } from '../db/transact.ts'
import { toInstant } from '../http/instant.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { dayMs } from './judge.ts'
import { findRetentionRow, readWorkspaceRule, saveRetentionRow } from './store.ts'

/** A rule that is new or stricter is run this many milliseconds later at the earliest; a mail tells of it first. */
export const noticeMs = dayMs

/** The rule of a workspace keeps builds that were distributed within this many days. */
const workspaceKeepsDays = 90

interface OfApplication {
  id: number
  workspace_id: number
}

/** The rules that hold for an application, and where they come from. */
export interface EffectiveRetention extends RunSettings {
  isEnabled: boolean
  source: Retention['source']
  /** Epoch milliseconds; null when nothing is going to be run. */
  nextRunAt: number | null
}

/** Reads the application's own rules or, without any, the rule of its workspace. */
export async function readRetention(db: Db, application: OfApplication): Promise<EffectiveRetention> {
  const row = await findRetentionRow(db, application.id)
  if (row && row.rules !== null) {
    const isEnabled = row.is_enabled === 1
    return {
      isEnabled,
      rules: parseJsonText(row.rules),
      keepDistributedDays: row.keep_distributed_days,
      quietBranchDays: row.quiet_branch_days,
      source: 'application',
      nextRunAt: isEnabled ? row.next_run_at : null,
    }
  }
  const workspace = await readWorkspaceRule(db, application.workspace_id)
  const common = { keepDistributedDays: workspaceKeepsDays, quietBranchDays: null }
  if (workspace.retention_ms === null) {
    return { ...common, isEnabled: false, rules: [], source: 'none', nextRunAt: null }
  }
  const maxAgeDays = Math.max(1, Math.round(workspace.retention_ms / dayMs))
  const noticed = (workspace.retention_changed_at ?? 0) + noticeMs
  return {
    ...common,
    isEnabled: true,
    rules: [{ branches: ['*'], maxAgeDays, keepNewest: null }],
    source: 'workspace',
    nextRunAt: Math.max(row?.next_run_at ?? 0, noticed, Date.now()),
  }
}

export function toRetention(retention: EffectiveRetention): Retention {
  const { isEnabled, rules, keepDistributedDays, quietBranchDays, source, nextRunAt } = retention
  const nextRunDate = nextRunAt === null ? null : toInstant(nextRunAt)
  return { isEnabled, rules, keepDistributedDays, quietBranchDays, nextRunDate, source }
}

/** Saves the rules of an application. Rules that are new or stricter wait a day, and a mail announces them. */
export async function saveRetention(
  context: Pick<AppContext, 'db' | 'jobs'>,
  application: OfApplication,
  input: SaveRetention,
): Promise<Retention> {
  const saved = await transact(context.db, async (trx) => {
    const before = await readRetention(trx, application)
    const isDelayed = input.isEnabled && (!before.isEnabled || isStricter(before, input))
    const earliest = Date.now() + noticeMs
    const nextRunAt = isDelayed ? earliest : (before.nextRunAt ?? earliest)
    await saveRetentionRow(trx, {
      application_id: application.id,
      workspace_id: application.workspace_id,
      is_enabled: input.isEnabled ? 1 : 0,
      rules: toJsonText(input.rules),
      keep_distributed_days: input.keepDistributedDays,
      quiet_branch_days: input.quietBranchDays,
      next_run_at: nextRunAt,
    })
    if (isDelayed && input.rules.length > 0) {
      const payload = { workspaceId: application.workspace_id, applicationId: application.id }
      await enqueueJobs(trx, [{ kind: 'announce-retention', key: `announce-retention ${application.id}`, payload }])
    }
    return readRetention(trx, application)
  })
  context.jobs.wake()
  return toRetention(saved)
}

/** Tells whether rules may take builds that others leave. Rules that differ in more than their limits count as such. */
function isStricter(before: RunSettings, after: RunSettings): boolean {
  if (after.keepDistributedDays < before.keepDistributedDays) return true
  if (isTighter(before.quietBranchDays, after.quietBranchDays)) return true
  if (after.rules.length !== before.rules.length) return after.rules.length > 0
  return after.rules.some((rule, index) => {
    const old = before.rules[index]
    if (!old || JSON.stringify(old.branches) !== JSON.stringify(rule.branches)) return true
    const isSameKind = (old.maxAgeDays === null) === (rule.maxAgeDays === null)
    const isSameCount = (old.keepNewest === null) === (rule.keepNewest === null)
    if (!isSameKind || !isSameCount) return rule.maxAgeDays !== null || rule.keepNewest !== null
    return isTighter(old.maxAgeDays, rule.maxAgeDays) || isTighter(old.keepNewest, rule.keepNewest)
  })
}

function isTighter(before: number | null, after: number | null): boolean {
  return after !== null && (before === null || after < before)
}
