/**
 * A server with the comments and commit statuses of GitHub, GitLab, Gitea, Bitbucket and Azure DevOps, and the check
 * runs of GitHub, which refuses requests that their documentation does not allow: another method, path, token, type,
 * missing or unknown fields. The answers have the fields that each forge documents and that a caller may rely on.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { commit, type Dialect, type DialectName, dialects } from './forge-dialects.ts'

export interface ForgeServer extends AsyncDisposable {
  url: string
  comments: Map<number, string>
  /** The status of the commit by its name: the last one counts. */
  statuses: Map<string, string>
  /** The check runs of the commit in the order in which they came. */
  checks: CheckRun[]
  /** Requests that the forge would refuse. */
  faults: string[]
  /** The status with which every request is answered instead, as for a token that may only read. */
  refuseWith: number | undefined
  /** The status with which requests for check runs are answered instead, as for a token that is of no GitHub App. */
  refuseChecksWith: number | undefined
}

interface Request {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
  headers: IncomingHttpHeaders
}

interface Answer {
  status: number
  body?: unknown
}

/** The body with which GitHub creates a check run that has a result. */
const checkRun = z.strictObject({
  name: z.string().min(1),
  head_sha: z.string().regex(/^[0-9a-f]{40}$/),
  external_id: z.string().optional(),
  details_url: z.url().optional(),
  status: z.literal('completed'),
  conclusion: z.enum(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out']),
  output: z.strictObject({
    title: z.string().min(1),
    summary: z.string().max(65_535),
    annotations: z
      .array(
        z.strictObject({
          path: z.string().regex(/^[^/]/),
          start_line: z.int().min(1),
          end_line: z.int().min(1),
          annotation_level: z.enum(['notice', 'warning', 'failure']),
          title: z.string().max(255).optional(),
          message: z.string().min(1).max(65_536),
        }),
      )
      .max(50),
  }),
})

export type CheckRun = z.infer<typeof checkRun>

export async function startForgeServer(name: DialectName): Promise<ForgeServer> {
  const dialect: Dialect = dialects[name]
  let nextId = 1000
  const answer = ({ method, path, query, body, headers }: Request): Answer => {
    if (forge.refuseWith !== undefined)
      return { status: forge.refuseWith, body: { message: 'Resource not accessible' } }
    dialect.authorize(headers)
    if (method === 'GET' && path === dialect.comments) {
      return { status: 200, body: dialect.list([...forge.comments], query) }
    }
    if (method === 'POST' && path === dialect.comments) {
      forge.comments.set(++nextId, dialect.body.parse(body))
      return { status: 201, body: { id: nextId } }
    }
    if (method === 'POST' && path === dialect.status.path) {
      const status = dialect.status.body.parse(body)
      forge.statuses.set(status.name, status.state)
      return { status: 201, body: {} }
    }
    if (name === 'github' && path.includes('/check-runs')) return answerChecks(method, path, query, body)
    const id = dialect.comment(path)
    assert.ok(id !== undefined, `there is no ${path}`)
    if (!forge.comments.has(id)) return { status: 404, body: { message: 'Not Found' } }
    if (method === 'DELETE') {
      forge.comments.delete(id)
      return { status: dialect.deleted }
    }
    assert.equal(method, dialect.update, path)
    forge.comments.set(id, dialect.changed.parse(body))
    return { status: 200, body: { id } }
  }
  const answerChecks = (method: string, path: string, query: URLSearchParams, body: unknown): Answer => {
    if (forge.refuseChecksWith !== undefined) return { status: forge.refuseChecksWith, body: { message: 'Forbidden' } }
    if (method === 'POST' && path === '/repos/team/shop/check-runs') {
      forge.checks.push(checkRun.parse(body))
      return { status: 201, body: { id: forge.checks.length } }
    }
    assert.deepEqual([method, path], ['GET', `/repos/team/shop/commits/${commit}/check-runs`])
    const size = Number(query.get('per_page') ?? 30)
    assert.ok(size <= 100)
    assert.equal(query.get('filter'), 'all')
    const found = forge.checks
      .map((run, index) => ({ id: index + 1, ...run }))
      .filter((run) => run.name === query.get('check_name'))
    const page = Number(query.get('page') ?? 1)
    return {
      status: 200,
      body: { total_count: found.length, check_runs: found.slice((page - 1) * size, page * size) },
    }
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', headers } = request
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://forge')
    let sent: Answer
    try {
      const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
      if (hasBody) assert.match(headers['content-type'] ?? '', /^application\/json/)
      const body: unknown = hasBody ? await json(request) : undefined
      // A forge takes a while before and after it acts, in which others act.
      await setTimeout(Math.random() * 20)
      sent = answer({ method, path, query, body, headers })
    } catch (error) {
      forge.faults.push(`${method} ${path}: ${String(error)}`)
      sent = { status: 422, body: { message: String(error) } }
    }
    await setTimeout(Math.random() * 20)
    response.writeHead(sent.status, { 'Content-Type': 'application/json' })
    response.end(sent.body === undefined ? '' : JSON.stringify(sent.body))
  }
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const forge: ForgeServer = {
    url: `http://127.0.0.1:${address.port}`,
    comments: new Map(),
    statuses: new Map(),
    checks: [],
    faults: [],
    refuseWith: undefined,
    refuseChecksWith: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return forge
}
