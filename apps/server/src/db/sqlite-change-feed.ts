/**
 * Reports changed rows of the embedded database. Triggers of the connection that writes collect them during a
 * transaction, and they are told after its commit. Migration 042 does the same for PostgreSQL.
 */
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type ChangeEvent, changedKinds } from '@fairlead/contract'
import { type AccessChange, type ChangeFeed, createSubscribers, type FeedMessage, maxIds } from './change-feed.ts'

interface WatchedTable {
  table: string
  kind: ChangeEvent['kind']
  /** Tells, as an expression over a row, whether lists show it. */
  isShown: (row: 'new' | 'old') => string
  /** The columns whose changes people see. */
  columns: readonly string[]
  applicationId?: (row: 'new' | 'old') => string
}

/** Migration 042 has its own copy of this list, because migrations do not change. */
const watched: readonly WatchedTable[] = [
  {
    table: 'applications',
    kind: 'application',
    isShown: () => 'true',
    columns: ['name', 'alias', 'bundle_identifier', 'commit_url', 'default_branch', 'linked_application_id'],
    applicationId: (row) => `${row}.id`,
  },
  {
    table: 'builds',
    kind: 'build',
    isShown: (row) => `${row}.trashed_at is null`,
    columns: ['release_notes', 'expires_at', 'pinned_at', 'link_password_hash', 'link_revoked_at', 'trashed_at'],
  },
  {
    table: 'crash_groups',
    kind: 'crashGroup',
    isShown: (row) => `${row}.redirect_id is null`,
    columns: [
      'title',
      'status',
      'is_regressed',
      'is_still_crashing',
      'assignee_id',
      'crash_count',
      'install_count',
      'message',
      'resolved_in_version',
      'ignored_until',
      'tracker_url',
      'redirect_id',
    ],
  },
  { table: 'feedback', kind: 'feedback', isShown: () => 'true', columns: ['status'] },
  { table: 'symbols_files', kind: 'symbolsFile', isShown: () => 'true', columns: [] },
  {
    table: 'test_runs',
    kind: 'testRun',
    isShown: (row) => `${row}.report_count > 0`,
    columns: [
      'state',
      'attempt',
      'cases',
      'passed',
      'failed',
      'skipped',
      'flaky',
      'attempts',
      'report_count',
      'verdict',
      'build_id',
      'branch',
      'commit_hash',
      'shards_received',
      'has_crashed',
      'has_left_out',
    ],
  },
]

/** The rows that access depends on, with the account, the token and the workspace that a changed row names. */
const watchedAccess = [
  { table: 'sessions', event: 'delete', names: ['old.account_id', 'null', 'null'] },
  { table: 'members', event: 'update of role', names: ['old.account_id', 'null', 'old.workspace_id'] },
  { table: 'members', event: 'delete', names: ['old.account_id', 'null', 'old.workspace_id'] },
  { table: 'api_tokens', event: 'delete', names: ['null', 'old.id', 'null'] },
  { table: 'accounts', event: 'update of disabled_at, totp_enabled_at', names: ['old.id', 'null', 'null'] },
  { table: 'workspaces', event: 'update of requires_two_factor', names: ['null', 'null', 'old.id'] },
  { table: 'workspaces', event: 'update of required_provider', names: ['null', 'null', 'old.id'] },
  { table: 'workspaces', event: 'delete', names: ['null', 'null', 'old.id'] },
] as const

interface Collected {
  workspaceId: number
  event: Omit<ChangeEvent, 'ids'>
  /** Undefined for too many. */
  ids: Set<number> | undefined
}

/** What one transaction has changed so far. */
interface Pending {
  changes: Map<string, Collected>
  accesses: Map<string, AccessChange>
}

export interface SqliteChangeFeed extends ChangeFeed {
  /** Tells of what was collected, if the transaction is over. */
  afterWrite(): void
  /** Forgets what the transaction that was rolled back has changed. */
  afterRollback(): void
}

/** Makes a migrated database report its changes. Call it once per connection. */
export function createSqliteChangeFeed(database: DatabaseSync): SqliteChangeFeed & { watch(): void } {
  const subscribers = createSubscribers()
  const run = randomBytes(6).toString('hex')
  let number = 0
  let pending: Pending = { changes: new Map(), accesses: new Map() }
  const isEmpty = () => pending.changes.size === 0 && pending.accesses.size === 0

  return {
    subscribe: (listener) => subscribers.subscribe(listener),
    afterWrite() {
      if (isEmpty() || database.isTransaction) return
      const { changes, accesses } = pending
      pending = { changes: new Map(), accesses: new Map() }
      number++
      subscribers.tell([
        ...changes.values().map(({ workspaceId, event, ids }): FeedMessage => {
          const told = { ...event, ids: ids === undefined ? null : [...ids] }
          return { type: 'change', id: `${run}-${number}`, workspaceId, event: told }
        }),
        ...accesses.values().map((access): FeedMessage => ({ type: 'access', access })),
      ])
    },
    afterRollback() {
      if (!isEmpty()) pending = { changes: new Map(), accesses: new Map() }
    },
    watch() {
      database.function('tell_change', (kind, change, workspaceId, applicationId, id) => {
        collectChange(pending.changes, { kind, change, workspaceId, applicationId, id })
        return null
      })
      database.function('tell_access', (accountId, apiTokenId, workspaceId) => {
        const access = {
          accountId: toId(accountId),
          apiTokenId: toId(apiTokenId),
          workspaceId: toId(workspaceId),
        }
        pending.accesses.set(Object.values(access).join(' '), access)
        return null
      })
      for (const table of watched) createRowTriggers(database, table)
      createDistributionTriggers(database)
      for (const [index, { table, event, names }] of watchedAccess.entries()) {
        const columns = /^update of (.*)$/.exec(event)?.[1]
        const condition = columns === undefined ? '' : `when ${differs(columns.split(', '))}`
        database.exec(
          `create temp trigger tell_access_${index} after ${event} on main.${table} ${condition}
           begin select tell_access(${names.join(', ')}); end`,
        )
      }
    },
  }
}

type Told = Record<'kind' | 'change' | 'workspaceId' | 'applicationId' | 'id', unknown>

/** An application that is deleted with its rows has no workspace to be found any more; its own row is told of. */
function collectChange(changes: Pending['changes'], told: Told): void {
  const { workspaceId, applicationId, id } = told
  const kind = changedKinds.find((one) => one === told.kind)
  const change = (['created', 'changed', 'deleted'] as const).find((one) => one === told.change)
  if (typeof workspaceId !== 'number' || typeof applicationId !== 'number' || typeof id !== 'number') return
  if (kind === undefined || change === undefined) return
  const key = `${kind} ${change} ${applicationId}`
  const known = changes.get(key)
  if (!known) changes.set(key, { workspaceId, event: { kind, change, applicationId }, ids: new Set([id]) })
  else if (known.ids && known.ids.size < maxIds) known.ids.add(id)
  else if (known.ids?.has(id) === false) known.ids = undefined
}

function createRowTriggers(database: DatabaseSync, { table, kind, isShown, columns, ...watch }: WatchedTable): void {
  const toApplication = watch.applicationId ?? ((row) => `${row}.application_id`)
  const call = (change: string, row: 'new' | 'old') => {
    const application = toApplication(row)
    const workspace =
      table === 'applications'
        ? `${row}.workspace_id`
        : `(select workspace_id from main.applications where id = ${application})`
    return `tell_change('${kind}', ${change}, ${workspace}, ${application}, ${row}.id)`
  }
  database.exec(
    `create temp trigger tell_${table}_insert after insert on main.${table} when ${isShown('new')}
     begin select ${call("'created'", 'new')}; end`,
  )
  database.exec(
    `create temp trigger tell_${table}_delete after delete on main.${table} when ${isShown('old')}
     begin select ${call("'deleted'", 'old')}; end`,
  )
  if (columns.length === 0) return
  const change = `case when not (${isShown('old')}) then 'created'
    when not (${isShown('new')}) then 'deleted' else 'changed' end`
  database.exec(
    `create temp trigger tell_${table}_update after update of ${columns.join(', ')} on main.${table}
     when (${isShown('new')} or ${isShown('old')}) and ${differs(columns)}
     begin select ${call(change, 'new')}; end`,
  )
}

/** A build that is distributed, or taken back from a group, has changed. */
function createDistributionTriggers(database: DatabaseSync): void {
  for (const [event, row] of [
    ['insert', 'new'],
    ['delete', 'old'],
  ] as const) {
    database.exec(
      `create temp trigger tell_build_groups_${event} after ${event} on main.build_groups
       begin select tell_change('build', 'changed', workspace_id, application_id, id)
       from main.builds where id = ${row}.build_id and trashed_at is null; end`,
    )
  }
}

function differs(columns: readonly string[]): string {
  const list = (row: string) => columns.map((column) => `${row}.${column}`).join(', ')
  return columns.length === 1 ? `${list('old')} is not ${list('new')}` : `(${list('old')}) is not (${list('new')})`
}

function toId(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
