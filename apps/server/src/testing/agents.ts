import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestServer } from './start-server.ts'

export interface Agent extends AsyncDisposable {
  client: Client
  /** Calls a tool that succeeds, and returns its answer. */
  // oxlint-disable-next-line typescript/no-explicit-any
  call(tool: string, input?: Record<string, unknown>): Promise<any>
  /** Calls a tool that is refused, and returns the error. */
  refuse(tool: string, input?: Record<string, unknown>): Promise<AgentFailure>
}

interface AgentFailure {
  code: string
  detail: string
  next: string
  retryAfterSeconds?: number
}

export interface ConnectOptions {
  token?: string
  path?: string
  /** `auto` speaks 2026-07-28, `legacy` 2025-11-25. */
  mode?: 'auto' | 'legacy'
}

/** Connects to a server as a coding agent does, by the official client. */
export async function connectAgent(
  { url, token: initial }: Pick<TestServer, 'url' | 'token'>,
  { token = initial, path = '/mcp', mode = 'auto' }: ConnectOptions = {},
): Promise<Agent> {
  const client = new Client({ name: 'agent of the tests', version: '1' }, { versionNegotiation: { mode } })
  const headers = { Authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url + path), { requestInit: { headers } }))
  return {
    client,
    async call(tool, input = {}) {
      const { isError, structuredContent, content } = await client.callTool({ name: tool, arguments: input })
      assert.notEqual(isError, true, JSON.stringify(content))
      assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(structuredContent) }])
      return structuredContent
    },
    async refuse(tool, input = {}) {
      const { isError, structuredContent, content } = await client.callTool({ name: tool, arguments: input })
      assert.equal(isError, true, JSON.stringify(content))
      assert.equal(structuredContent, undefined)
      const [only, ...others] = content
      assert.equal(others.length, 0)
      assert.ok(only?.type === 'text' && only.text.length <= 2000, JSON.stringify(content))
      if (only.text.startsWith('Input validation error: '))
        return { code: 'inputValidation', detail: only.text, next: '' }
      const { error, ...rest }: { error: AgentFailure } = JSON.parse(only.text)
      assert.deepEqual(rest, {})
      assert.ok(error.next.length > 0)
      return error
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
