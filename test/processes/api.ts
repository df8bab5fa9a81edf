import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type ApkOptions, writeApk } from '@fairlead/binary/fixture'
import { token } from './server-process.ts'

/** An answer of the API with its body read. */
export interface ApiAnswer {
  status: number
  headers: Headers
  bytes: Buffer
  /** The body as JSON, untyped as for any external client; undefined when it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

/** Calls the API of a server process with the tests' token. Rejects when the connection breaks or after a minute. */
export async function callApi(
  url: string,
  method: string,
  path: string,
  { json, body, headers }: { json?: unknown; body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
): Promise<ApiAnswer> {
  const answer = await fetch(url + path, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
    headers: {
      'X-Service-Token': token,
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(body !== undefined && { body }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true && bytes.length > 0
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
  }
}

/** Creates an application and returns its id. */
export async function createApplication(url: string, alias: string, platform = 'android'): Promise<number> {
  const { status, json } = await callApi(url, 'POST', '/v1/applications', { json: { name: alias, alias, platform } })
  if (status !== 201) throw new Error(`the application was not created: ${status}`)
  return json.id
}

/** Creates an APK of some kilobytes. Each call returns different bytes. */
export function createApk(apk: ApkOptions = {}): Uint8Array<ArrayBuffer> {
  const files = [{ name: 'assets/data', data: randomBytes(20_000) }]
  return new Uint8Array(writeApk({ packageName: 'com.example.app', icon: null, schemes: [], files, ...apk }))
}

export function uploadBuild(
  url: string,
  alias: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  return callApi(url, 'POST', '/v2/builds', { body, headers: { 'X-Service-Application-Alias': alias, ...headers } })
}

export function toSha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Waits until the condition holds. Rejects after `limitMs`, so that a test fails instead of hanging. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + limitMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${what}: it did not come to be in time`)
    await setTimeout(50)
  }
}
