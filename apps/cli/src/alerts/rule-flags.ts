/** The flags that create and change alert rules, and the request that they make. */
import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import { listFlag, type Role, roles, textFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { requireMember } from '../lookups/member.ts'

/** Listed again, because the schemas of the contract would slow every start. */
export const alertKinds = [
  'newCrashGroup',
  'crashRegression',
  'crashCount',
  'installCount',
  'crashFreeRate',
  'testVerdict',
  'flakyRate',
  'feedback',
] as const
export type AlertKind = (typeof alertKinds)[number]

export interface RuleFlags {
  readonly threshold?: string
  readonly window?: string
  readonly minimum?: string
  readonly branch?: string
  readonly hook?: readonly string[]
  readonly member?: readonly string[]
  readonly role?: readonly Role[]
  readonly quiet?: string
  readonly digest?: string
  readonly cooldown?: string
}

export const ruleFlags = {
  threshold: textFlag('Count from which on it fires, or per cent of a rate', 'number'),
  window: textFlag('Minutes in which it is measured, 5 to 10080', 'minutes'),
  minimum: textFlag('Least number of sessions or test cases to judge a rate by', 'number'),
  branch: textFlag('Branch of test runs', 'branch'),
  hook: listFlag('Id of a hook that is told', 'id'),
  member: listFlag('Member who is mailed, by the e-mail address', 'e-mail'),
  role: {
    kind: 'enum',
    values: roles,
    brief: 'Members with this role are mailed, also those who come later',
    optional: true,
    variadic: true,
  },
  quiet: textFlag('When mails wait, such as 22:00-07:00@Europe/Berlin, or none', 'hours'),
  digest: textFlag('Minutes that mails wait for others; 0: at once', 'minutes'),
  cooldown: textFlag('Minutes that it stays silent after it fired', 'minutes'),
} as const

type Rule = Parameters<Client['alerts']['updateRule']>[1]

/** Turns flags into fields of a rule; flags that are not given are no fields. */
export async function readRuleFlags(io: Io, client: Client, flags: RuleFlags): Promise<Rule> {
  const { threshold, window, minimum, branch, hook, member, role, quiet, digest, cooldown } = flags
  const accountIds: number[] = []
  for (const email of member ?? []) accountIds.push((await requireMember(io, client, email)).accountId)
  return {
    ...(threshold !== undefined && { threshold: readNumber('--threshold', threshold) }),
    ...(window !== undefined && { windowMinutes: readNumber('--window', window) }),
    ...(minimum !== undefined && { minimum: readNumber('--minimum', minimum) }),
    ...(branch !== undefined && { branch }),
    ...(hook !== undefined && { hookIds: hook.map((id) => readNumber('--hook', id)) }),
    ...(member !== undefined && { accountIds }),
    ...(role !== undefined && { roles: [...role] }),
    ...(quiet !== undefined && { quietHours: readQuietHours(quiet) }),
    ...(digest !== undefined && { digestMinutes: readNumber('--digest', digest) }),
    ...(cooldown !== undefined && { cooldownMinutes: readNumber('--cooldown', cooldown) }),
  }
}

function readNumber(flag: string, text: string): number {
  if (!/^\d{1,10}(\.\d{1,4})?$/.test(text)) throw new CliError('usage', `${flag} takes a number`)
  return Number(text)
}

function readQuietHours(text: string): NonNullable<Rule['quietHours']> | null {
  if (text === 'none') return null
  const [, from, to, timeZone] = /^(\d\d:\d\d)-(\d\d:\d\d)@(\S+)$/.exec(text) ?? []
  if (from === undefined || to === undefined || timeZone === undefined) {
    throw new CliError('usage', '--quiet takes hours and a zone, such as 22:00-07:00@Europe/Berlin, or none')
  }
  return { from, to, timeZone }
}
