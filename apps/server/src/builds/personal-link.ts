import { toInstallUrl } from '../links/install-url.ts'
import { isSame, sign } from '../secrets/signature.ts'

/** Returns a tester's personal install link: it contains the tester's id with a signature. */
export function toPersonalUrl(build: { secret: string }, testerId: number, baseUrl: string, key: Buffer): string {
  const tester = testerId.toString(36)
  return `${toInstallUrl(build, baseUrl)}/for/${tester}.${sign(key, `tester:${build.secret}:${tester}`)}`
}

/** Returns the tester of a personal link, or undefined when the signature is wrong. */
export function readPersonalTester(key: Buffer, secret: string, text: string): number | undefined {
  const [, tester = '', signature = ''] = /^([0-9a-z]{1,11})\.([\w-]{22})$/.exec(text) ?? []
  if (!isSame(signature, sign(key, `tester:${secret}:${tester}`))) return undefined
  return Number.parseInt(tester, 36)
}
