import { Email, toCleanName } from '@fairlead/contract'
import type { OidcProvider } from '../settings/oidc-providers.ts'
import { ProviderError } from './provider-error.ts'

export type Claims = Readonly<Record<string, unknown>>

/** A person as a provider describes them. Issuer and subject identify them; an e-mail address identifies nobody. */
export interface Person {
  issuer: string
  subject: string
  /** Null when the provider sends none that is an address. */
  email: string | null
  emailIsVerified: boolean
  name: string | null
  /** Null when the provider does not say which groups the person is in, which differs from being in none. */
  groups: string[] | null
}

/** The specification limits `sub` to 255 ASCII characters. */
const subjectPattern = /^[\x20-\x7e]{1,255}$/
const groupLimit = 10_000
const groupLength = 300

/** @throws {ProviderError} when the claims identify nobody */
export function readPerson({ groupsClaim, emailIsVerified }: OidcProvider, claims: Claims): Person {
  const { iss: issuer, sub: subject, email_verified: verified } = claims
  if (typeof issuer !== 'string' || typeof subject !== 'string' || !subjectPattern.test(subject)) {
    throw new ProviderError('provider', 'the ID token has no issuer, or no subject of at most 255 ASCII characters')
  }
  const email = Email.safeParse(claims['email'])
  const names = [claims['name'], claims['preferred_username']].map(toName)
  return {
    issuer,
    subject,
    email: email.success ? email.data : null,
    // Some providers send the text instead of the boolean. The setting speaks only where the provider is silent.
    emailIsVerified: verified === true || verified === 'true' || ((verified ?? null) === null && emailIsVerified),
    name: names.find((name) => name !== '') ?? null,
    groups: readGroups(claims, groupsClaim),
  }
}

function toName(value: unknown): string {
  return typeof value === 'string' ? toCleanName(value).trim().slice(0, 200).trim() : ''
}

/** Directories leave out groups that are too many for a token, and say so in one of two ways. */
function readGroups(claims: Claims, name: string): string[] | null {
  const { _claim_names: elsewhere, hasgroups: hasGroups } = claims
  if (hasGroups === true || hasGroups === 'true') return null
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name)) return null
  const value = claims[name]
  if (typeof value === 'string') return [value].filter(isGroup)
  if (!Array.isArray(value) || value.length > groupLimit) return null
  return [...new Set(value.filter(isGroup))]
}

function isGroup(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= groupLength && !/\p{Cc}/u.test(value)
}
