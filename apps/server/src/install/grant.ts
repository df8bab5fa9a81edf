/**
 * A grant is a signed permission in a path: `{build}.{expiry}.{tester}.{signature}`. The installer of a phone sends no
 * cookies, so the address itself has to authorize the download, for one build and a limited time. It names the build by
 * its id and not by the secret of the install link, so whoever holds a download address cannot open the install page.
 *
 * The grant of a latest link is `{build}.{expiry}.{link}.{state}.{signature}`: it names the build that the page showed
 * and the link that showed it, and ends with either.
 */
import type { BuildRecord } from '../builds/build.ts'
import type { LatestLinkRecord } from '../latest-links/latest-link.ts'
import { isSame, sign } from '../secrets/signature.ts'

/** Long enough for a page that stays open overnight; short enough that a forwarded download link soon expires. */
export const grantLifetime = 24 * 60 * 60 * 1000

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

export interface LatestGrant {
  buildId: number
  linkId: number
  /** Epoch milliseconds. */
  expiresAt: number
  /** What the secret and the password of the link were; see `isStateOf`. */
  state: string
}

/** What the state of a latest link is made of: a new password and a new address end what the link gave out. */
type LinkState = Pick<LatestLinkRecord, 'id' | 'secret' | 'link_password_hash'>

const latestPattern = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]{22})\.([\w-]{22})$/

export function createLatestGrant(key: Buffer, buildId: number, link: LinkState, expiresAt: number): string {
  const numbers = [buildId, Math.floor(expiresAt / 1000), link.id]
  const content = `${numbers.map((value) => value.toString(36)).join('.')}.${signState(key, link)}`
  return `${content}.${sign(key, `latest-grant:${content}`)}`
}

/**
 * Returns undefined for what is no grant of a latest link, or one with a wrong signature. The signature holds without
 * the row of the link, so that a grant of a link that was deleted is told from a forged one.
 */
export function readLatestGrant(key: Buffer, text: string): LatestGrant | undefined {
  const [, build = '', expiry = '', link = '', state = '', signature = ''] = latestPattern.exec(text) ?? []
  if (!isSame(signature, sign(key, `latest-grant:${build}.${expiry}.${link}.${state}`))) return undefined
  const [buildId, seconds, linkId] = [build, expiry, link].map((value) => Number.parseInt(value, 36))
  if (buildId === undefined || seconds === undefined || linkId === undefined) return undefined
  return { buildId, linkId, expiresAt: seconds * 1000, state }
}

export function isStateOf(key: Buffer, link: LinkState, state: string): boolean {
  return isSame(state, signState(key, link))
}

function signState(key: Buffer, link: LinkState): string {
  return sign(key, `latest-state:${link.id}:${link.secret}:${link.link_password_hash ?? ''}`)
}
