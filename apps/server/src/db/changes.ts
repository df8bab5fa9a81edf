/**
 * Knows what changed in the embedded database and when, so that what was read is forgotten when a row behind it changes
 * and not at every write. Triggers of the connection that performs all writes report each changed row, whatever
 * statement or cascade changed it. See decisions 002 and 030.
 */
import type { DatabaseSync } from 'node:sqlite'

/** What values are made of: the row of one token, one application, one build and so on. */
const kinds = ['token', 'application', 'buildsOf', 'build', 'symbolsOf', 'groups'] as const
type Kind = (typeof kinds)[number]

/** The place of a topic in the table of changes. Topics may share one; then more is forgotten than must be. */
export type Topic = number & { readonly isTopic: true }

export interface Changes {
  /** Returns a number that grows with each change. */
  now(): number
  /** Tells whether nothing of the topics has changed since `now` returned `since`. */
  areUnchanged(topics: readonly Topic[], since: number): boolean
  record(kind: Kind, id: number): void
  /** Records a change of everything. */
  recordAll(): void
}

/** How many ids of a kind have a place of their own. */
const placesPerKind = 8192

/** The rows of an id: a token, an application, a build, or all builds or symbols of an application; or all groups. */
export function toTopic(kind: Kind, id = 0): Topic {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is where topics are made
  return ((id % placesPerKind) * kinds.length + kinds.indexOf(kind)) as Topic
}

/** The tables behind what is remembered. Each maps kinds of topics to the id, as an expression over the changed row. */
const watched: Record<string, Partial<Record<Kind, (row: 'new' | 'old') => string>>> = {
  api_tokens: { token: (row) => `${row}.id` },
  applications: { application: (row) => `${row}.id` },
  builds: { build: (row) => `${row}.id`, buildsOf: (row) => `${row}.application_id` },
  build_groups: { build: (row) => `${row}.build_id`, buildsOf: findApplication },
  build_images: { build: (row) => `${row}.build_id`, buildsOf: findApplication },
  distribution_groups: { groups: () => '0' },
  symbols_images: { symbolsOf: (row) => `${row}.application_id` },
}

/** A build that is deleted in the same statement reports its application itself. */
function findApplication(row: 'new' | 'old'): string {
  return `(select application_id from main.builds where id = ${row}.build_id)`
}

export function createChanges(): Changes {
  const changedAt = new Float64Array(placesPerKind * kinds.length)
  let last = 0
  let allChangedAt = 0
  return {
    now: () => last,
    areUnchanged: (topics, since) => allChangedAt <= since && topics.every((topic) => (changedAt[topic] ?? 0) <= since),
    record(kind, id) {
      changedAt[toTopic(kind, id)] = ++last
    },
    recordAll() {
      allChangedAt = ++last
    },
  }
}

/**
 * Makes a migrated database report its changes. Call it once per connection, and the result after each statement that
 * may have written: a change is recorded when its statement runs, and again when it is committed, because the reading
 * connection sees the row as it was before in between.
 */
export function watchChanges(database: DatabaseSync, changes: Changes): () => void {
  const uncommitted = new Map<Topic, [Kind, number]>()
  database.function('note_change', (kind, id) => {
    const known = kinds.find((one) => one === kind)
    if (known === undefined || typeof id !== 'number') return null
    changes.record(known, id)
    uncommitted.set(toTopic(known, id), [known, id])
    return null
  })
  for (const [table, topics] of Object.entries(watched)) {
    for (const event of ['insert', 'update', 'delete'] as const) {
      const row = event === 'delete' ? 'old' : 'new'
      const calls = Object.entries(topics).map(([kind, toId]) => `note_change('${kind}', ${toId(row)})`)
      database.exec(
        `create temp trigger note_${table}_${event} after ${event} on main.${table}
         ${event === 'update' ? `when ${differs(database, table)}` : ''} begin select ${calls.join(', ')}; end`,
      )
    }
  }
  return () => {
    if (uncommitted.size === 0 || database.isTransaction) return
    for (const [kind, id] of uncommitted.values()) changes.record(kind, id)
    uncommitted.clear()
  }
}

/** Returns a function that records a change of everything when another connection has written since its last call. */
export function watchOthers(database: DatabaseSync, changes: Changes): () => void {
  const statement = database.prepare('pragma data_version')
  let version = statement.get()?.data_version
  return () => {
    const now = statement.get()?.data_version
    if (now !== version) changes.recordAll()
    version = now
  }
}

/** A condition of an update that changed something: locking an application, for example, sets its name to its name. */
function differs(database: DatabaseSync, table: string): string {
  const columns = database.prepare('select name from pragma_table_info(?)').all(table)
  const list = (row: string) => columns.map(({ name }) => `${row}."${String(name)}"`).join(', ')
  return `(${list('old')}) is not (${list('new')})`
}
