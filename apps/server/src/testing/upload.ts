import assert from 'node:assert/strict'
import { type ApkOptions, type IpaOptions, writeApk, writeIpa } from '@fairlead/binary/fixture'
import type { Build } from '@fairlead/contract'
import type { TestServer } from './start-server.ts'

interface UploadOptions {
  alias: string
  token?: string
  headers?: Record<string, string>
}

/** Uploads the given bytes and asserts that a build is created. */
export async function uploadBytes(
  server: Pick<TestServer, 'call'>,
  bytes: Uint8Array<ArrayBuffer>,
  { alias, token, headers }: UploadOptions,
): Promise<Build> {
  const answer = await server.call('POST', '/v2/builds', {
    ...(token !== undefined && { token }),
    headers: { 'X-Service-Application-Alias': alias, ...headers },
    body: bytes,
  })
  assert.equal(answer.status, 201, answer.text)
  const build: Build = answer.json
  return build
}

/** Uploads a small generated APK, by default of the package `com.example.shop`. */
export async function uploadApk(
  server: Pick<TestServer, 'call'>,
  { apk, ...options }: UploadOptions & { apk?: ApkOptions },
): Promise<Build> {
  return uploadBytes(server, createApk(apk), options)
}

/** Uploads a small generated IPA, by default of the bundle `com.example.shop`. */
export async function uploadIpa(
  server: Pick<TestServer, 'call'>,
  { ipa, ...options }: UploadOptions & { ipa?: IpaOptions },
): Promise<Build> {
  return uploadBytes(
    server,
    new Uint8Array(writeIpa({ bundleIdentifier: 'com.example.shop', name: 'Shop', ...ipa })),
    options,
  )
}

export function createApk(apk: ApkOptions = {}): Uint8Array<ArrayBuffer> {
  return new Uint8Array(writeApk({ packageName: 'com.example.shop', label: 'Shop', ...apk }))
}

/** Creates an application to upload to; its alias is also its name. */
export async function createApplication(
  server: Pick<TestServer, 'call'>,
  alias: string,
  platform: 'android' | 'ios' = 'android',
): Promise<{ id: number }> {
  const answer = await server.call('POST', '/v1/applications', { json: { name: alias, alias, platform } })
  assert.equal(answer.status, 201, answer.text)
  const application: { id: number } = answer.json
  return application
}
