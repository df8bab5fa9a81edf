/**
 * The kinds of text that may stand outside `untrusted` in an answer. Each is a branded string that only a function of
 * this file makes, so a plain string in an answer does not compile (`checked.ts`).
 */
import { invariant } from '@fairlead/invariant'
import { z } from 'zod'

const longestSentence = 600

/** Words of the server's own code, with nothing in them but ids, aliases and numbers. */
export const Sentence = z.string().brand<'Sentence'>()
export type Sentence = z.infer<typeof Sentence>
export const Alias = z.string().brand<'Alias'>()
export type Alias = z.infer<typeof Alias>
export const Uuid = z.string().brand<'Uuid'>()
export type Uuid = z.infer<typeof Uuid>
/** A commit hash. */
export const Hex = z.string().brand<'Hex'>()
export type Hex = z.infer<typeof Hex>
/** A time in ISO 8601. */
export const Instant = z.string().brand<'Instant'>()
export type Instant = z.infer<typeof Instant>
/** The cursor of a list, which the server has made of ids and numbers. */
export const Cursor = z.string().brand<'Cursor'>()
export type Cursor = z.infer<typeof Cursor>
/** An address of this server, made of ids and aliases. */
export const Url = z.string().brand<'Url'>()
export type Url = z.infer<typeof Url>
/** The place of a text for `read_text`: a kind, an id, and the names and numbers of fields. */
export const Ref = z.string().brand<'Ref'>()
export type Ref = z.infer<typeof Ref>

/** What a sentence or an address may be made of, beside the words in the code. */
export type Safe = number | Alias | Uuid | Hex | Instant | Url | Sentence

/** A sentence or a command. A package or version of a crash in a command would run in the terminal of an agent. */
export function sentence(words: TemplateStringsArray, ...values: Safe[]): Sentence {
  return quoteSentence(String.raw({ raw: words }, ...values))
}

/** Takes a sentence that the code of another room has made of the same parts. */
export function quoteSentence(text: string): Sentence {
  invariant(text.length <= longestSentence && !/\p{Cc}/u.test(text), 'a sentence of the code is short and plain')
  return brand<'Sentence'>(text)
}

export function toAlias(alias: string): Alias {
  invariant(/^[a-z0-9-]{1,64}$/.test(alias), 'applications have aliases of plain letters')
  return brand<'Alias'>(alias)
}

/** Returns null for a text that is no UUID and no build id, as it may come from a report. */
export function toUuidOrNull(text: string | null | undefined): Uuid | null {
  return typeof text === 'string' && /^[0-9a-fA-F-]{8,64}$/.test(text) ? brand<'Uuid'>(text) : null
}

/** Returns null for a commit that is none, because CI may send any text as one. */
export function toHexOrNull(text: string | null | undefined): Hex | null {
  return typeof text === 'string' && /^[0-9a-fA-F]{7,64}$/.test(text) ? brand<'Hex'>(text) : null
}

export function toInstantText(date: string): Instant {
  invariant(/^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(date), 'dates of the API are in ISO 8601')
  return brand<'Instant'>(date)
}

export function toCursorOrNull(cursor: string | undefined): Cursor | null {
  if (cursor === undefined) return null
  invariant(/^[\w.+~-]{1,100}$/.test(cursor), 'cursors are made of ids and numbers')
  return brand<'Cursor'>(cursor)
}

/** An address of the dashboard. */
export function dashboardUrl(baseUrl: string) {
  return (words: TemplateStringsArray, ...values: (number | Alias)[]): Url =>
    brand<'Url'>(baseUrl + String.raw({ raw: words }, ...values))
}

/** Takes an address of the dashboard that the code of another room has made of ids. */
export function quoteUrl(url: string, baseUrl: string): Url {
  invariant(url.startsWith(`${baseUrl}/`) && /^[\w/-]*$/.test(url.slice(baseUrl.length)), 'addresses are made of ids')
  return brand<'Url'>(url)
}

export type TextKind =
  | 'application'
  | 'build'
  | 'commits'
  | 'crashGroup'
  | 'crash'
  | 'crashExplanation'
  | 'test'
  | 'testRun'
  | 'testFailure'

/** The place of all texts of a thing; `fieldRef` names one of them. */
export function toRef(kind: TextKind, id: number): Ref {
  return brand<'Ref'>(`${kind}.${id}`)
}

/** Every part is a name of a field in the code, or the place in a list. */
export function fieldRef(ref: Ref, field: string): Ref {
  return brand<'Ref'>(`${ref}.${field}`)
}

function brand<Name extends string>(text: string): string & z.$brand<Name> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand exists for the compiler only
  return text as string & z.$brand<Name>
}
