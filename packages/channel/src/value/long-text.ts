/**
 * Long texts are sent as attachments beside the JSON, because in JSON each side scans every character twice, or four
 * times if it must be escaped. A tag with the index of the attachment takes their place.
 */
import type { Attachment } from '../wire/frame.ts'
import type { Census } from './census.ts'

/** Length in UTF-16 code units. A shorter text is faster in JSON than as an attachment with a tag. */
export const longTextLength = 1024

/** The reader scans every value for tags, which pays only if long texts have this many characters per value. */
const charactersPerValue = 64

/** True if a plain value is sent faster with its long texts as attachments. */
export function isWorthPlacing({ longTexts, values }: Census): boolean {
  return longTexts > 0 && longTexts >= charactersPerValue * values
}

/**
 * Adds a text to the attachments and returns its tag. A text with a lone surrogate has no UTF-8 form and stays in the
 * JSON.
 */
export function placeText(text: string, attachments: Attachment[]): unknown {
  if (!text.isWellFormed()) return text
  attachments.push(text)
  return { $: ['String', attachments.length - 1] }
}

/** Replaces the long texts in a plain value by tags. Parts without long texts are not copied. */
export function placeTexts(value: unknown, attachments: Attachment[]): unknown {
  if (typeof value === 'string') return value.length < longTextLength ? value : placeText(value, attachments)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => placeTexts(item, attachments))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object whose fields are unknown
  const object = value as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const key in object) {
    const item = object[key]
    const placed = placeTexts(item, attachments)
    if (placed === item) continue
    copy ??= { ...object }
    copy[key] = placed
  }
  return copy ?? object
}
