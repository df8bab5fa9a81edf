/**
 * Names for statements, so that PostgreSQL parses and plans them once per connection (prepared statements) and not at
 * each request, which costs several times as much as running a small query.
 *
 * A text gets a name when it is seen for the second time, and only so many texts do, because each connection keeps what
 * it has prepared until it closes. A name always stands for one text.
 */
export interface StatementNames {
  /** Returns the name under which a statement is prepared, or undefined for one that is sent as text. */
  find(text: string): string | undefined
  /** Gives all texts new names. Needed after a migration: a prepared statement cannot change the columns it returns. */
  renew(): void
  /** Names nothing any more, because the other end does not keep prepared statements (PgBouncer before 1.21). */
  stop(): void
}

/** The most texts with a name. A hostile caller can make texts, for example lists of any length, but no more names. */
const maxNames = 1000
/** The most texts that were seen once. Beyond it they are forgotten, so that texts that are used often return. */
const maxSeen = 5000

export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  const seen = new Set<string>()
  let generation = 1
  let isStopped = false
  return {
    find(text) {
      const name = names.get(text)
      if (name !== undefined || isStopped || names.size >= maxNames || !isQuery(text)) return name
      if (!seen.delete(text)) {
        if (seen.size >= maxSeen) seen.clear()
        seen.add(text)
        return undefined
      }
      const added = `fairlead_${generation}_${names.size + 1}`
      names.set(text, added)
      return added
    },
    renew() {
      generation++
      names.clear()
    },
    stop() {
      isStopped = true
      names.clear()
    },
  }
}

/** Beginning and ending a transaction has no plan that could be kept. */
function isQuery(text: string): boolean {
  return /^(select|with|insert|update|delete)\b/.test(text)
}
