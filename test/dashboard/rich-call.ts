import assert from 'node:assert/strict'
import { readJson } from '../../scripts/read-json.ts'

/** Calls the API with a token. Fails with the answer when it is refused. */
export type Call = <Answer>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

export function createCall(baseUrl: string, token: string): Call {
  return async <Answer>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const isBytes = body instanceof Uint8Array
    const isText = typeof body === 'string'
    const type = isBytes ? 'application/octet-stream' : isText ? 'text/plain' : 'application/json'
    const sent = isBytes ? new Uint8Array(body) : isText ? body : JSON.stringify(body)
    const answer = await fetch(baseUrl + path, {
      method,
      headers: { 'X-Service-Token': token, ...(body !== undefined && { 'Content-Type': type }), ...headers },
      ...(body !== undefined && { body: sent }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
    return readJson<Answer>(text === '' ? 'null' : text)
  }
}
