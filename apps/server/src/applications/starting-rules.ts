import type { AlertKind, Role } from '@fairlead/contract'
import { toJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import { insertStartingRules } from './store.ts'

interface StartingRule {
  name: string
  kind: AlertKind
  roles: Role[]
  cooldown_minutes: number
  threshold: number | null
  window_minutes: number | null
}

const plain = { threshold: null, window_minutes: null }
const developers: Role[] = ['developer', 'admin']
const day = 1440

/** The rules with which every application starts, until somebody changes them. */
const startingRules: StartingRule[] = [
  { ...plain, name: 'New crash group', kind: 'newCrashGroup', roles: developers, cooldown_minutes: day },
  { ...plain, name: 'Crash group is back', kind: 'crashRegression', roles: developers, cooldown_minutes: day },
  {
    name: 'Many crashes',
    kind: 'crashCount',
    roles: developers,
    cooldown_minutes: day,
    threshold: 20,
    window_minutes: 60,
  },
  { ...plain, name: 'Feedback', kind: 'feedback', roles: ['admin'], cooldown_minutes: 0 },
]

/** Gives a new application the alert rules that every application starts with. */
export async function addStartingRules(trx: Db, workspaceId: number, applicationId: number): Promise<void> {
  await insertStartingRules(
    trx,
    startingRules.map(({ roles, ...rule }) => ({
      ...rule,
      workspace_id: workspaceId,
      application_id: applicationId,
      roles: toJsonText(roles),
      digest_minutes: 10,
      created_at: Date.now(),
    })),
  )
}
