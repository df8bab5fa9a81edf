import type { BuildTester, TesterState } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { toInstantOrNull } from '../http/instant.ts'
import {
  selectInstalled,
  selectMailStates,
  selectMembers,
  selectOpened,
  selectPeople,
  selectTold,
} from './status-store.ts'

/** How far a tester is with a build. Times are epoch milliseconds, null for what has not happened. */
export interface TesterStatus {
  testerId: number
  email: string
  name: string | null
  groups: { id: number; name: string }[]
  state: TesterState
  toldAt: number | null
  mailState: 'waiting' | 'sent' | 'failed' | null
  openedAt: number | null
  installedAt: number | null
  remindedAt: number | null
  reminderCount: number
  isUnsubscribed: boolean
}

/** Lists the testers of a build's groups, and those who left them but were told of it or have it, by e-mail address. */
export async function listTesterStatuses(db: Db, build: { id: number; workspace_id: number }): Promise<TesterStatus[]> {
  const groupsOf = Map.groupBy(await selectMembers(db, build.id), ({ tester_id }) => tester_id)
  const told = toMap(await selectTold(db, build.id))
  const opened = toMap(await selectOpened(db, build.id))
  const installed = toMap(await selectInstalled(db, build.id))
  const mails = toMap(await selectMailStates(db, build.id))
  const ids = new Set([groupsOf, told, opened, installed].flatMap((rows) => [...rows.keys()]))
  const people = await selectPeople(db, build.workspace_id, [...ids])
  return people
    .toSorted((a, b) => (a.email_key < b.email_key ? -1 : 1))
    .map(({ id, email, name, unsubscribed_at }) => {
      const toldAt = told.get(id)?.created_at ?? null
      const openedAt = opened.get(id)?.opened_at ?? null
      const installedAt = installed.get(id)?.installed_at ?? null
      return {
        testerId: id,
        email,
        name,
        groups: (groupsOf.get(id) ?? []).map((group) => ({ id: group.id, name: group.name })),
        state: toState({ toldAt, openedAt, installedAt }),
        toldAt,
        mailState: mails.get(id)?.status ?? null,
        openedAt,
        installedAt,
        remindedAt: opened.get(id)?.reminded_at ?? null,
        reminderCount: opened.get(id)?.reminder_count ?? 0,
        isUnsubscribed: unsubscribed_at !== null,
      }
    })
}

function toMap<Row extends { tester_id: number }>(rows: Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.tester_id, row]))
}

function toState(at: Pick<TesterStatus, 'toldAt' | 'openedAt' | 'installedAt'>): TesterState {
  if (at.installedAt !== null) return 'installed'
  if (at.openedAt !== null) return 'opened'
  return at.toldAt === null ? 'none' : 'told'
}

export function toBuildTester(status: TesterStatus): BuildTester {
  return {
    testerId: status.testerId,
    email: status.email,
    name: status.name,
    groups: status.groups,
    state: status.state,
    toldDate: toInstantOrNull(status.toldAt),
    mailState: status.mailState,
    openedDate: toInstantOrNull(status.openedAt),
    installedDate: toInstantOrNull(status.installedAt),
    remindedDate: toInstantOrNull(status.remindedAt),
    isUnsubscribed: status.isUnsubscribed,
  }
}
