/**
 * A grant is a signed permission in a path: `{build}.{expiry}.{tester}.{signature}`. The installer of a phone sends no
 * cookies, so the address itself has to authorize the download, for one build and a limited time. It names the build by
 * its id and not by the secret of the install link, so whoever holds a download address cannot open the install page.
 */
import type { BuildRecord } from '../builds/build.ts'
import { isSame, sign } from '../secrets/signature.ts'

export interface Grant {
  /** Epoch milliseconds. */
  expiresAt: number
  /** The tester of the personal link it came from; null for the general link. */
  testerId: number | null
}

/** The text that a grant is signed with: a new password of the link invalidates the grants that the old one gave. */
export type GrantedBuild = Pick<BuildRecord, 'id' | 'secret' | 'link_password_hash'>

const pattern = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]{22})$/

export function createGrant(key: Buffer, build: GrantedBuild, { expiresAt, testerId }: Grant): string {
  const numbers = [build.id, Math.floor(expiresAt / 1000), testerId ?? 0]
  const content = numbers.map((value) => value.toString(36)).join('.')
  return `${content}.${signGrant(key, build, content)}`
}

/** Returns the id of the build that a grant names, before its signature is checked. */
export function findGrantedId(text: string): number | undefined {
  const id = pattern.exec(text)?.[1]
  return id === undefined ? undefined : Number.parseInt(id, 36)
}

/** Returns undefined when the signature is wrong or belongs to another build. */
export function readGrant(key: Buffer, build: GrantedBuild, text: string): Grant | undefined {
  const [, id = '', expiry = '', tester = '', signature = ''] = pattern.exec(text) ?? []
  if (Number.parseInt(id, 36) !== build.id) return undefined
  if (!isSame(signature, signGrant(key, build, `${id}.${expiry}.${tester}`))) return undefined
  const testerId = Number.parseInt(tester, 36)
  return { expiresAt: Number.parseInt(expiry, 36) * 1000, testerId: testerId === 0 ? null : testerId }
}

function signGrant(key: Buffer, build: GrantedBuild, content: string): string {
  return sign(key, `grant:${build.secret}:${build.link_password_hash ?? ''}:${content}`)
}
