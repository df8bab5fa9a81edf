import { toInstallUrl } from '../links/install-url.ts'
import { isSame, sign } from '../secrets/signature.ts'
import type { LinkedTester } from './page-link.ts'

/** Returns a tester's personal install link: it contains the tester's id with a signature. */
export function toPersonalUrl(build: { secret: string }, tester: LinkedTester, baseUrl: string, key: Buffer): string {
  const id = tester.id.toString(36)
  return `${toInstallUrl(build, baseUrl)}/for/${id}.${signPersonal(key, build.secret, id, tester.link_salt)}`
}

/** Returns the id that a personal link names, before its signature is checked. */
export function findPersonalId(text: string): number | undefined {
  const [, id] = /^([0-9a-z]{1,11})\.[\w-]{22}$/.exec(text) ?? []
  const number = Number.parseInt(id ?? '', 36)
  return Number.isSafeInteger(number) ? number : undefined
}

/** Tells whether a personal link is the tester's: it is not after their links were renewed. */
export function isPersonalOf(key: Buffer, secret: string, tester: LinkedTester, text: string): boolean {
  const [id = '', signature = ''] = text.split('.')
  return Number.parseInt(id, 36) === tester.id && isSame(signature, signPersonal(key, secret, id, tester.link_salt))
}

/** Links that were given out before testers had a salt are signed without one. */
function signPersonal(key: Buffer, secret: string, id: string, salt: string | null): string {
  return sign(key, `tester:${secret}:${id}${salt === null ? '' : `:${salt}`}`)
}
