/**
 * Kills the server right before a chosen commit. A test preloads this module into the server (`node --import`) and arms
 * it by writing a number N into the file that `KILL_AT_COMMIT_FILE` names: the process then kills itself before the
 * N-th commit of what belongs to test runs. Reads and the commits of other work do not count, so that N means the same
 * each time. A write outside of a transaction is a transaction of its own.
 */
import { readFileSync } from 'node:fs'
import { StatementSync } from 'node:sqlite'
import { Client } from 'pg'

const writesTests = /^\s*(?:insert into|update|delete from) "(?:test_\w+|tests|failure_groups|flips|streaks)"/i

const file = process.env.KILL_AT_COMMIT_FILE ?? ''
let count = 0

/** Follows the transactions of one connection. */
class Connection {
  #isOpen = false
  #hasWritten = false

  beforeStatement(sql: string): void {
    if (/^(?:begin|start transaction)\b/i.test(sql)) {
      this.#isOpen = true
      this.#hasWritten = false
    } else if (/^rollback$/i.test(sql)) this.#isOpen = false
    else if (/^commit$/i.test(sql)) {
      this.#isOpen = false
      if (this.#hasWritten) beforeCommit()
    } else if (writesTests.test(sql)) {
      this.#hasWritten = true
      if (!this.#isOpen) beforeCommit()
    }
  }
}

function beforeCommit(): void {
  const armed = readArmed()
  if (armed === undefined) return
  count++
  if (count === armed) process.kill(process.pid, 'SIGKILL')
}

function readArmed(): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Calls `follow` at each call of a method, and then the method. */
function intercept(prototype: object, name: string, follow: (self: object, args: unknown[]) => void): void {
  const method: (...args: unknown[]) => unknown = Reflect.get(prototype, name)
  const apply: ProxyHandler<typeof method>['apply'] = (target, self: object, args) => {
    follow(self, args)
    return Reflect.apply(target, self, args)
  }
  Reflect.set(prototype, name, new Proxy(method, { apply }))
}

const embedded = new Connection()
for (const name of ['run', 'all']) {
  intercept(StatementSync.prototype, name, (statement) => {
    if (statement instanceof StatementSync) embedded.beforeStatement(statement.sourceSQL)
  })
}

const connections = new WeakMap<object, Connection>()
intercept(Client.prototype, 'query', (client, [first]) => {
  const connection = connections.get(client) ?? new Connection()
  connections.set(client, connection)
  const sql = typeof first === 'object' && first !== null && 'text' in first ? first.text : first
  if (typeof sql === 'string') connection.beforeStatement(sql)
})
