/**
 * Long texts cross beside the JSON, as attachments: in JSON each of their characters is looked at twice on each side,
 * and four times where it must be escaped. In their place stands a tag with the index of the attachment.
 */
import type { Attachment } from '../wire/frame.ts'
import type { Census } from './census.ts'

/** In UTF-16 units: a shorter text is through JSON before its tag would be. */
export const longTextLength = 1024

/** The reader looks at every value for tags: worth it where long texts have so many characters for each value. */
const charactersPerValue = 64

/** True when a plain value crosses faster with its long texts as attachments. */
export function isWorthPlacing({ longTexts, values }: Census): boolean {
  return longTexts > 0 && longTexts >= charactersPerValue * values
}

/** The tag of a text that is now an attachment; half a surrogate pair has no UTF-8, and such a text stays. */
export function placeText(text: string, attachments: Attachment[]): unknown {
  if (!text.isWellFormed()) return text
  attachments.push(text)
  return { $: ['String', attachments.length - 1] }
}

/** A plain value with its long texts placed. What has none is not copied. */
export function placeTexts(value: unknown, attachments: Attachment[]): unknown {
  if (typeof value === 'string') return value.length < longTextLength ? value : placeText(value, attachments)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => placeTexts(item, attachments))
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
