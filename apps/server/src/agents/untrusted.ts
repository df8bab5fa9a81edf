/**
 * Text that apps, testers and CI have written. Whoever has an app has its crash key, and a pull request from outside
 * names tests and branches, so such a text may be an order to the agent that reads it. It stands under the key
 * `untrusted` and nowhere else, cleaned and cut; `checked.ts` makes the compiler see to it.
 */
import { z } from 'zod'
import { fieldRef, quoteSentence, Ref, Sentence } from './trusted.ts'

/** The most characters of names, and of texts that are longer by nature. */
const nameLimit = 300
const proseLimit = 4000

/** The fields that hold more than a name. */
const prose = new Set(['releaseNotes', 'message', 'text', 'output', 'reason'])

export type Texts = string | null | readonly Texts[] | { readonly [field: string]: Texts }

/** A text that was cut, with the place of the whole one. */
export const Cut = z.object({ field: Sentence, ref: Ref, characters: z.int() })
export type Cut = z.infer<typeof Cut>

/** The schema of texts that `untrusted` has cleaned. */
export function untrustedOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).brand<'Untrusted'>()
}

export interface Cleaned<Given extends Texts> {
  untrusted: Given & z.$brand<'Untrusted'>
  /** Only there when a text was cut. */
  more?: Cut[]
}

/**
 * Cleans and cuts texts. Keys are names of fields in the code.
 *
 * @param ref where `read_text` finds the texts
 * @param limit the most characters of prose, if it is not the usual one
 */
export function untrusted<Given extends { readonly [field: string]: Texts }>(
  texts: Given,
  ref: Ref,
  limit?: number,
): Cleaned<Given> {
  const more: Cut[] = []
  const cleaned = cleanTexts(texts, { ref, path: [], limit, more })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each text was replaced by a text, in its place
  const branded = cleaned as Given & z.$brand<'Untrusted'>
  return { untrusted: branded, ...(more.length > 0 && { more }) }
}

interface Cleaning {
  ref: Ref
  path: string[]
  limit: number | undefined
  more: Cut[]
}

function cleanTexts(texts: Texts, cleaning: Cleaning): Texts {
  const { path } = cleaning
  if (texts === null) return null
  if (typeof texts === 'string') return cutText(cleanText(texts), cleaning)
  const below = (part: string, text: Texts) => cleanTexts(text, { ...cleaning, path: [...path, part] })
  if (isList(texts)) return texts.map((text, place) => below(String(place), text))
  return Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, below(field, text)]))
}

function isList(texts: Texts): texts is readonly Texts[] {
  return Array.isArray(texts)
}

function cutText(text: string, { ref, path, limit, more }: Cleaning): string {
  const isProse = prose.has(path.findLast((part) => !/^\d+$/.test(part)) ?? '')
  const most = isProse ? (limit ?? proseLimit) : nameLimit
  if (text.length <= most) return text
  const field = path.join('.')
  more.push({ field: quoteSentence(field), ref: fieldRef(ref, field), characters: text.length })
  return `${sliceText(text, 0, most - 1)}…`
}

/** Cuts a text between characters, never inside a surrogate pair. */
export function sliceText(text: string, start: number, end: number): string {
  return text.slice(start, isInsidePair(text, end) ? end - 1 : end)
}

function isInsidePair(text: string, place: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(place - 1, place + 1))
}

/**
 * Characters that are not seen, by which orders are hidden from people: controls, direction marks, zero-width and tag
 * characters, variation selectors, fillers, interlinear marks, and halves of surrogate pairs. Tabs and line feeds stay.
 */
const unseen =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]--[\t\n]]/gv

/** Removes what is not seen. Ends of lines are line feeds. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n').replace(unseen, '')
}
