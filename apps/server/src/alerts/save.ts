import { type AlertRule, ApiError, type CreateAlertRule, type UpdateAlertRule } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import type { Caller } from '../http/caller.ts'
import { enqueueJobs } from '../jobs/enqueue.ts'
import { describeRule, requireRule } from './alert-rule.ts'
import { checkLine } from './check-rule.ts'
import { toLookJob } from './look.ts'
import { isTimeZone } from './quiet-hours.ts'
import {
  countRules,
  insertRule,
  listHookIds,
  listMemberRoles,
  listReceivers,
  replaceAccounts,
  replaceHooks,
  type RuleRow,
  updateRuleRow,
} from './store.ts'

type Context = Pick<AppContext, 'db' | 'jobs'>

const maxRules = 50
/** The least number of sessions that a crash-free rate is judged by, unless another is set. */
const defaultSessions = 100

/** @throws {ApiError} invalidRequest, forbidden, unknownHook, unknownMember, unknownTimeZone, tooManyAlertRules */
export async function createAlertRule(
  { db, jobs }: Context,
  caller: Caller,
  applicationId: number,
  input: CreateAlertRule,
): Promise<AlertRule> {
  const { kind } = input
  const line = {
    kind,
    threshold: input.threshold ?? null,
    window_minutes: input.windowMinutes ?? null,
    minimum: input.minimum ?? (kind === 'crashFreeRate' ? defaultSessions : null),
    branch: input.branch ?? null,
  }
  checkLine(line)
  const created = await transact(db, async (trx) => {
    const { hookIds = [], accountIds = [] } = input
    if (hookIds.length > 0) requireAdmin(caller)
    await checkReceivers(trx, caller.workspaceId, input)
    if ((await countRules(trx, applicationId)) >= maxRules) throw new ApiError('tooManyAlertRules')
    const rule = await insertRule(trx, {
      ...line,
      workspace_id: caller.workspaceId,
      application_id: applicationId,
      name: input.name,
      roles: toJsonText(unique(input.roles ?? [])),
      quiet_hours: input.quietHours ? toJsonText(input.quietHours) : null,
      digest_minutes: input.digestMinutes ?? 10,
      cooldown_minutes: input.cooldownMinutes ?? 60,
      is_enabled: input.isEnabled === false ? 0 : 1,
      created_at: Date.now(),
      created_by: caller.name,
    })
    await replaceHooks(trx, rule.id, unique(hookIds))
    await replaceAccounts(trx, rule, unique(accountIds))
    await enqueueJobs(trx, [toLookJob(applicationId)])
    return describeRule(trx, rule)
  })
  jobs.wake()
  return created
}

/**
 * Changes a rule. One whose line moves, or that is turned on again, is judged anew, but its cooldown goes on.
 *
 * @throws {ApiError} alertRuleNotFound, invalidRequest, forbidden, unknownHook, unknownMember, unknownTimeZone
 */
export async function updateAlertRule(
  { db, jobs }: Context,
  caller: Caller,
  id: number,
  input: UpdateAlertRule,
): Promise<AlertRule> {
  const changed = await transact(db, async (trx) => {
    const before = await requireRule(trx, caller.workspaceId, id)
    const line = {
      ...(input.threshold !== undefined && { threshold: input.threshold }),
      ...(input.windowMinutes !== undefined && { window_minutes: input.windowMinutes }),
      ...(input.minimum !== undefined && { minimum: input.minimum }),
      ...(input.branch !== undefined && { branch: input.branch }),
    }
    checkLine({ ...before, ...line })
    await refuseHooksOfOthers(trx, caller, before, input.hookIds)
    await checkReceivers(trx, caller.workspaceId, input)
    const turnsOn = input.isEnabled === true && before.is_enabled === 0
    const isAnew = Object.keys(line).length > 0 || turnsOn || input.isEnabled === false
    const rule = await updateRuleRow(trx, id, {
      ...line,
      ...(input.name !== undefined && { name: input.name }),
      ...(input.roles !== undefined && { roles: toJsonText(unique(input.roles)) }),
      ...(input.quietHours !== undefined && {
        quiet_hours: input.quietHours === null ? null : toJsonText(input.quietHours),
      }),
      ...(input.digestMinutes !== undefined && { digest_minutes: input.digestMinutes }),
      ...(input.cooldownMinutes !== undefined && { cooldown_minutes: input.cooldownMinutes }),
      ...(input.isEnabled !== undefined && { is_enabled: input.isEnabled ? 1 : 0 }),
      ...(isAnew && { is_firing: 0, is_armed: 1 }),
    })
    if (!rule) throw new ApiError('alertRuleNotFound')
    if (input.hookIds) await replaceHooks(trx, id, unique(input.hookIds))
    if (input.accountIds) await replaceAccounts(trx, rule, unique(input.accountIds))
    await enqueueJobs(trx, [toLookJob(rule.application_id)])
    return describeRule(trx, rule)
  })
  jobs.wake()
  return changed
}

/** Only administrators see hooks, so only they say which ones a rule tells. */
async function refuseHooksOfOthers(trx: Db, caller: Caller, rule: RuleRow, hookIds: number[] | undefined) {
  if (hookIds === undefined || caller.role === 'admin') return
  const before = (await listReceivers(trx, [rule.id])).get(rule.id)?.hookIds ?? []
  const given = new Set(hookIds)
  if (given.size !== before.length || before.some((id) => !given.has(id))) requireAdmin(caller)
}

function requireAdmin({ role }: Caller): void {
  if (role !== 'admin') throw new ApiError('forbidden', { detail: 'Only administrators say which hooks a rule tells' })
}

async function checkReceivers(
  trx: Db,
  workspaceId: number,
  { hookIds = [], accountIds = [], quietHours }: Pick<UpdateAlertRule, 'hookIds' | 'accountIds' | 'quietHours'>,
): Promise<void> {
  const hooks = new Set(await listHookIds(trx, workspaceId, hookIds))
  const hook = hookIds.find((id) => !hooks.has(id))
  if (hook !== undefined) refuse('unknownHook', '/hookIds', `There is no hook ${hook}`)
  const members = new Set((await listMemberRoles(trx, workspaceId)).map(({ account_id: id }) => id))
  const person = accountIds.find((id) => !members.has(id))
  if (person !== undefined) refuse('unknownMember', '/accountIds', `There is no member with the account ${person}`)
  if (quietHours && !isTimeZone(quietHours.timeZone)) {
    refuse('unknownTimeZone', '/quietHours/timeZone', 'must be a zone of the time zone database, such as Europe/Berlin')
  }
}

function refuse(code: 'unknownHook' | 'unknownMember' | 'unknownTimeZone', source: string, detail: string): never {
  throw new ApiError(code, { faults: [{ source, detail }] })
}

function unique<Item>(items: Item[]): Item[] {
  return [...new Set(items)]
}
