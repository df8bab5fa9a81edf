import { toInstallUrl } from '../links/install-url.ts'
import { isSame, sign } from '../secrets/signature.ts'

/** A build's install link that tells which tester's mail it stood in. */
export function toPersonalUrl(build: { secret: string }, testerId: number, baseUrl: string, key: Buffer): string {
  const tester = testerId.toString(36)
  return `${toInstallUrl(build, baseUrl)}/for/${tester}.${sign(key, `tester:${build.secret}:${tester}`)}`
}

/** The tester of a personal link; undefined when it was not made here. */
export function readPersonalTester(key: Buffer, secret: string, text: string): number | undefined {
  const [, tester = '', signature = ''] = /^([0-9a-z]{1,11})\.([\w-]{22})$/.exec(text) ?? []
  if (!isSame(signature, sign(key, `tester:${secret}:${tester}`))) return undefined
  return Number.parseInt(tester, 36)
}
