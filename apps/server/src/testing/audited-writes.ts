import assert from 'node:assert/strict'
import type { AuditEvent } from '@fairlead/contract'
import { toLoggedPath } from '../http/errors.ts'
import type { Answer, CallOptions, TestServer } from './start-server.ts'

/** Whoever sends a request: the server's token, or a browser. */
type Sender = Pick<TestServer, 'call'>

interface Write extends CallOptions {
  /** The values of the path's parameters. */
  ids?: Record<string, string | number>
  query?: string
  by?: Sender
  /** The actions that it is recorded as; without them the one that the description of the API names. */
  records?: readonly string[]
  /** Whose audit log has the event, for another workspace than that of the server's token. */
  log?: Sender
}

export interface AuditedWrites {
  /** Every operation of the API that writes, with its action in the audit log. */
  operations: ReadonlyMap<string, string | undefined>
  /** The operations that were made with success. */
  made: Set<string>
  /** The actions that were seen in the audit log. */
  seen: Set<string>
  /**
   * Makes a write that succeeds, by the name of its operation or its path, and looks for exactly the events that it
   * must leave.
   */
  write(operation: string, options?: Write): Promise<Answer>
  /** Waits until what happened since the last write is in the audit log under these actions, and nothing else. */
  expectEvents(operation: string, actions: readonly string[], log?: Sender): Promise<AuditEvent[]>
}

/** Follows the audit log of a server write by write. */
export async function followAuditedWrites(server: TestServer): Promise<AuditedWrites> {
  const operations = await listWrites(server)
  const made = new Set<string>()
  const seen = new Set<string>()
  const newestOf = new Map<Sender, number>()

  const listNew = async (log: Sender): Promise<AuditEvent[]> => {
    const answer = await log.call('GET', '/v1/auditEvents?limit=20')
    assert.equal(answer.status, 200, answer.text)
    const events: AuditEvent[] = answer.json
    const before = newestOf.get(log) ?? 0
    return events.filter(({ id }) => id > before).toReversed()
  }
  const expectEvents = async (operation: string, actions: readonly string[], log: Sender = server) => {
    const events = await listNew(log)
    assert.deepEqual(
      events.map(({ action }) => action),
      actions,
      operation,
    )
    newestOf.set(log, Math.max(newestOf.get(log) ?? 0, ...events.map(({ id }) => id)))
    for (const { action } of events) seen.add(action)
    return events
  }

  return {
    operations,
    made,
    seen,
    expectEvents,
    async write(operation, { ids = {}, query = '', by = server, records, log, ...options } = {}) {
      const [method = '', template = ''] = operation.split(' ')
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        assert.ok(ids[name] !== undefined, `${operation} needs ${name}`)
        return String(ids[name])
      })
      const answer = await by.call(method, path + query, options)
      assert.ok(answer.status < 400, `${operation} ${answer.status} ${answer.text}`)
      const action = operations.get(operation)
      const events = await expectEvents(operation, records ?? (action === undefined ? [] : [action]), log)
      for (const { target, address, actor } of records === undefined ? events : []) {
        assert.equal(target, toLoggedPath(path + query), operation)
        assert.match(address ?? '', /127\.0\.0\.1$/, operation)
        assert.ok(actor.name.length > 0 && actor.kind !== 'unknown', `${operation} ${JSON.stringify(actor)}`)
      }
      made.add(operation)
      return answer
    },
  }
}

async function listWrites(server: TestServer): Promise<Map<string, string | undefined>> {
  const { json } = await server.call('GET', '/openapi.json')
  const paths: Record<string, Record<string, { 'x-audit-action'?: string }>> = json.paths
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string | undefined] => [
      `${method.toUpperCase()} ${path}`,
      operation['x-audit-action'],
    ]),
  )
  return new Map(all.filter(([name]) => !/^(GET|HEAD) /.test(name)))
}
