/** Keeps every statement that the process sends to a database, with the values of its last run. */
import { StatementSync } from 'node:sqlite'
import { Client } from 'pg'

export interface SeenStatement {
  values: unknown[]
  /** The first call that ran the statement. */
  caller: string
}

export interface SeenStatements {
  /** By their text. */
  byText: Map<string, SeenStatement>
  /** The call that is running. */
  caller: string
}

/** Watches both drivers from now on. */
export function watchStatements(): SeenStatements {
  const seen: SeenStatements = { byText: new Map(), caller: 'start' }
  const see = (text: string, values: unknown[]) => {
    seen.byText.set(text, { values, caller: seen.byText.get(text)?.caller ?? seen.caller })
  }
  for (const method of ['all', 'run'] as const) {
    // The method is called with its object below.
    const original = StatementSync.prototype[method]
    // Both methods take the values of the statement, and their result is passed on as it is.
    StatementSync.prototype[method] = function (this: StatementSync, ...values: unknown[]) {
      see(this.sourceSQL, values)
      return Reflect.apply(original, this, values)
    }
  }
  // oxlint-disable-next-line typescript/unbound-method
  const query = Client.prototype.query
  // The method has many overloads. The server passes a text and its values, or one object with both and a name.
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [first, second] = args
    if (typeof first === 'string') see(first, Array.isArray(second) ? second : [])
    else if (isNamed(first)) see(first.text, first.values ?? [])
    return Reflect.apply(query, this, args)
  }
  return seen
}

function isNamed(value: unknown): value is { text: string; values?: unknown[] } {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
}
