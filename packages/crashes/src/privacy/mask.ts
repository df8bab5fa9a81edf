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

/** JSON Web Tokens are recognized by their form alone. */
const webToken = /\beyJ[\w-]{5,2000}\.[\w-]{2,2000}(?:\.[\w-]{0,2000})?/g

/**
 * Keys of well-known services are recognized by their form alone. Those of most services have a separator after their
 * prefix, and so have ours; without it, names such as `flushPendingTransactions` would be taken for tokens.
 */
const serviceToken = /\b(?:(?:gh[opsu]|github_pat|fl|npm)_|(?:glpat|xox[abprs])-|AKIA|AIza)[\w-]{16,255}/g
const tokenSign = /[_-]|A[KI]/
const paymentToken = /\b(?:sk_live|sk_test|pk_live|rk_live)[-_]?[\w-]{16,255}/g

/** Most names of classes, methods and files have none of these, and then no pattern matches them. */
const special = /[^a-zA-Z0-9.$<>]|A[KI]|eyJ|\d\.\d|\d{13}/
/** The length of the shortest text that `serviceToken`, `paymentToken`, `scheme` or `card` matches. */
const shortestLongSecret = 'Token 123456'.length
/** Every pattern but `serviceToken`, `paymentToken`, `scheme` and `card` matches text with one of these only. */
const mark = /[=:@.\\/]/
const nameEnd = /[=:]/
const schemeName = /[bdt](?:earer|asic|igest|oken)\s/i
const dottedDigits = /\d\.\d/
const cardStart = /\d\d\d|\d[ -]\d/

/** Matches `Authorization: Bearer …`, `password=…` and `"token": "…"`. The name stays and the value is masked. */
const scheme = /\b(Bearer|Basic|Digest|Token)\s{1,4}[\w.~+/=-]{6,2000}/gi
const secretKinds = 'token|secret|password|passwd|pwd|apikey|api[_-]key|cookie|sessionid|sid|credential'
const secretName = `(?:access|refresh|auth|id|csrf|xsrf|session|bearer)?[_-]?(?:${secretKinds})`
const namedSecret = new RegExp(String.raw`\b(${secretName})(["']?\s{0,4}[=:]\s{0,4}["']?)[^\s"'&;,)}\]]{1,2000}`, 'gi')

const secretNameAlone = new RegExp(`^${secretName}$`, 'i')

/** Whether a field of this name holds a secret, whatever it looks like. */
export function isSecretName(name: string): boolean {
  return secretNameAlone.test(name)
}

/**
 * Replaces personal data and secrets by the name of their kind in angle brackets. Most texts hold nothing to mask, and
 * looking for a character is cheap, so a costly pattern runs only on a text that it can match.
 */
export function maskText(text: string): string {
  if (!special.test(text)) return text
  // A replacement contains no mark, so a text without marks gets none.
  const hasMarks = mark.test(text)
  let masked = text
  if (hasMarks && masked.includes('eyJ')) masked = masked.replace(webToken, '<token>')
  const isLong = masked.length >= shortestLongSecret
  if (isLong && tokenSign.test(masked)) masked = masked.replace(serviceToken, '<token>')
  if (isLong && masked.includes('k_')) masked = masked.replace(paymentToken, '<token>')
  if (isLong && schemeName.test(masked)) masked = masked.replace(scheme, '$1 <token>')
  if (hasMarks && nameEnd.test(masked)) masked = masked.replace(namedSecret, '$1$2<secret>')
  if (hasMarks && masked.includes('@')) masked = masked.replace(email, '<email>')
  if (isLong && cardStart.test(masked))
    masked = masked.replace(card, (digits) => (isCardNumber(digits) ? '<card>' : digits))
  return hasMarks ? maskAddresses(masked) : masked
}

/** Masks IP addresses and home folders. */
function maskAddresses(text: string): string {
  let masked = text
  if (dottedDigits.test(masked)) masked = masked.replace(ipv4, (address) => (isIpv4(address) ? '<ip>' : address))
  if (masked.includes(':')) masked = masked.replace(ipv6Candidate, (found) => (isOwnIpv6(found) ? '<ip>' : found))
  if (masked.includes('\\')) masked = masked.replace(windowsHome, '~')
  return masked.includes('/') ? masked.replace(unixHome, '~') : masked
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

/** Whether text is an address of one machine; `::` stands for all of them, and in C++ for a namespace. */
function isOwnIpv6(text: string): boolean {
  return text !== '::' && isIPv6(text)
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
