import { isSame, sign } from '../secrets/signature.ts'

/** What the links of a tester are signed with. */
export interface LinkedTester {
  id: number
  /** Another salt ends all links that were given out before. */
  link_salt: string | null
}

/** Returns the address of the page with all builds of a tester: the tester's id with a signature. */
export function toTesterPageUrl(tester: LinkedTester, baseUrl: string, key: Buffer): string {
  const id = tester.id.toString(36)
  return `${baseUrl}/testers/${id}.${signPage(key, id, tester.link_salt)}`
}

/** Returns the id that the address of a page names, before its signature is checked. */
export function findPageId(text: string): number | undefined {
  const [, id] = /^([0-9a-z]{1,11})\.[\w-]{22}$/.exec(text) ?? []
  const number = Number.parseInt(id ?? '', 36)
  return Number.isSafeInteger(number) ? number : undefined
}

export function isPageOf(key: Buffer, tester: LinkedTester, text: string): boolean {
  const [id = '', signature = ''] = text.split('.')
  return Number.parseInt(id, 36) === tester.id && isSame(signature, signPage(key, id, tester.link_salt))
}

function signPage(key: Buffer, id: string, salt: string | null): string {
  return sign(key, `tester-page:${id}:${salt ?? ''}`)
}
