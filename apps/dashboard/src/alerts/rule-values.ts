import type { AlertKind, AlertRule, CreateAlertRule } from '@fairlead/contract'
import { Role } from '@fairlead/contract'
import { hasBranch, isMeasured, isRate } from './alert-words.ts'

/** The fields of the form of a rule. Numbers are texts while they are typed. */
export interface RuleValues {
  name: string
  kind: AlertKind
  threshold: string | number
  windowMinutes: string | number
  minimum: string | number
  branch: string
  roles: string[]
  accountIds: string[]
  hookIds: string[]
  isQuiet: boolean
  from: string
  to: string
  timeZone: string
  digestMinutes: string | number
  cooldownMinutes: string | number
}

export function toValues(rule: AlertRule | undefined): RuleValues {
  return {
    name: rule?.name ?? '',
    kind: rule?.kind ?? 'crashCount',
    threshold: rule?.threshold ?? 50,
    windowMinutes: rule?.windowMinutes ?? 60,
    minimum: rule?.minimum ?? 100,
    branch: rule?.branch ?? '',
    roles: rule?.roles ?? [],
    accountIds: rule?.accountIds.map(String) ?? [],
    hookIds: rule?.hookIds.map(String) ?? [],
    isQuiet: rule !== undefined && rule.quietHours !== null,
    from: rule?.quietHours?.from ?? '22:00',
    to: rule?.quietHours?.to ?? '07:00',
    timeZone: rule?.quietHours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    digestMinutes: rule?.digestMinutes ?? 10,
    cooldownMinutes: rule?.cooldownMinutes ?? 60,
  }
}

/** Leaves out what means nothing for the kind; hooks are sent by those who may name them. */
export function toRequest(values: RuleValues, namesHooks: boolean): CreateAlertRule {
  const { name, kind, branch, roles, isQuiet, from, to, timeZone } = values
  const measured = isMeasured(kind)
  return {
    name,
    kind,
    threshold: measured ? Number(values.threshold) : null,
    windowMinutes: measured ? Number(values.windowMinutes) : null,
    minimum: isRate(kind) ? Number(values.minimum) : null,
    branch: hasBranch(kind) && branch !== '' ? branch : null,
    roles: Role.options.filter((role) => roles.includes(role)),
    accountIds: values.accountIds.map(Number),
    ...(namesHooks && { hookIds: values.hookIds.map(Number) }),
    quietHours: isQuiet ? { from, to, timeZone } : null,
    digestMinutes: Number(values.digestMinutes),
    cooldownMinutes: Number(values.cooldownMinutes),
  }
}
