import assert from 'node:assert/strict'
import type { Build } from '@fairlead/contract'
import { type ApkOptions, writeApk } from '@fairlead/binary/fixture'
import type { TestServer } from './start-server.ts'

export interface UploadOptions {
  alias: string
  token?: string
  headers?: Record<string, string>
  apk?: Partial<ApkOptions>
}

/** Uploads a small APK made on the spot, and gives back its build. */
export async function uploadApk(server: TestServer, { alias, token, headers, apk }: UploadOptions): Promise<Build> {
  const answer = await server.call('POST', '/v2/builds', {
    ...(token !== undefined && { token }),
    headers: { 'X-Service-Application-Alias': alias, ...headers },
    body: writeApk({ packageName: 'com.example.shop', versionCode: 1, versionName: '1.0', label: 'Shop', ...apk }),
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.json as Build
}
