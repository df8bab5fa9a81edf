/**
 * Masks personal data and secrets in free text: e-mail and IP addresses, tokens, card numbers and home folders. Every
 * pattern has bounded repetitions, so that its time grows linearly with the text.
 */
import { isIPv6 } from 'node:net'
import { maxMessageLength } from '../limits.ts'

const email = /[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu
const ipv4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]?\d)/g
const ipv6Candidate = /(?<![\w:])[0-9a-fA-F:]{3,39}(?![\w:])/g
const card = /(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)/g
const unixHome = /(?<=^|[\s"'=(:,[<]|file:\/\/|private)\/(?:Users|home|var\/home)\/(?!Shared\b)[^/\s"',;:)<>\]]{1,64}/g
const windowsHome = /[A-Za-z]:\\{1,2}(?:Users|Documents and Settings)\\{1,2}[^\\/\s"',;:)<>]{1,64}/g

/** JSON Web Tokens and keys of well-known services, which are recognized by their form alone. */
const tokens = [
  /\beyJ[\w-]{5,2000}\.[\w-]{2,2000}(?:\.[\w-]{0,2000})?/g,
  /\b(?:ghp|gho|ghs|ghu|github_pat|glpat|fl|npm)[-_]?[\w-]{16,255}/g,
  /\b(?:xox[abprs]|sk_live|sk_test|pk_live|rk_live|AKIA|AIza)[-_]?[\w-]{16,255}/g,
]

/** Matches `Authorization: Bearer …`, `password=…` and `"token": "…"`. The name stays and the value is masked. */
const scheme = /\b(Bearer|Basic|Digest|Token)\s{1,4}[\w.~+/=-]{6,2000}/gi
const namedSecret = new RegExp(
  [
    String.raw`\b((?:access|refresh|auth|id|csrf|xsrf|session|bearer)?[_-]?`,
    String.raw`(?:token|secret|password|passwd|pwd|apikey|api[_-]key|cookie|sessionid|sid|credential))`,
    String.raw`(["']?\s{0,4}[=:]\s{0,4}["']?)`,
    String.raw`[^\s"'&;,)}\]]{1,2000}`,
  ].join(''),
  'gi',
)

/** Replaces personal data and secrets by the name of their kind in angle brackets. */
export function maskText(text: string): string {
  let masked = text
  for (const token of tokens) masked = masked.replace(token, '<token>')
  return masked
    .replace(scheme, '$1 <token>')
    .replace(namedSecret, '$1$2<secret>')
    .replace(email, '<email>')
    .replace(card, (digits) => (isCardNumber(digits) ? '<card>' : digits))
    .replace(ipv4, (address) => (isIpv4(address) ? '<ip>' : address))
    .replace(ipv6Candidate, (address) => (isIPv6(address) && address !== '::' ? '<ip>' : address))
    .replace(windowsHome, '~')
    .replace(unixHome, '~')
}

/** Prepares a message for storage. It is masked before it is cut, so that no part of a secret remains at the end. */
export function maskMessage(text: string): string {
  const margin = 4 * maxMessageLength
  const masked = maskText(text.slice(0, margin))
  return masked.length <= maxMessageLength ? masked : `${masked.slice(0, maxMessageLength - 1).toWellFormed()}…`
}

/** Removes the home folder from a path, and on a device the folder with a random name that contains the app. */
export function maskPath(path: string): string {
  return maskText(path).replace(/^file:\/\/(?=~)/, '')
}

function isIpv4(text: string): boolean {
  return text.split('.').every((part) => Number(part) <= 255)
}

/** Checks the check digit of a card number with Luhn's algorithm. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    sum += at % 2 === 1 ? doubled : digit
  }
  return digits.length >= 13 && sum % 10 === 0
}
