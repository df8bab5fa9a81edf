import { feedbackLimits, toCleanName } from '@fairlead/contract'
import { refuseFeedback } from './refuse.ts'

export interface FeedbackWords {
  text: string
  contact: string | null
}

/** Control characters but line ends and tabs, and characters that change the direction of the text around them. */
const hidden = /[^\P{Cc}\n\t]|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/**
 * Cleans the words of a form.
 *
 * @throws {ApiError} unreadableFeedback
 */
export function readWords(fields: ReadonlyMap<string, string>): FeedbackWords {
  // Browsers send every line end as CR and LF.
  const lines = (fields.get('text') ?? '').toWellFormed().replace(/\r\n?/g, '\n')
  const text = lines.replace(hidden, '').trim()
  if (text === '') throw refuseFeedback('text', 'is missing')
  if (isLonger(text, feedbackLimits.text)) {
    throw refuseFeedback('text', `is longer than ${feedbackLimits.text} characters`)
  }
  const contact = toOneLine(fields.get('contact') ?? '')
  if (isLonger(contact, feedbackLimits.contact)) {
    throw refuseFeedback('contact', `is longer than ${feedbackLimits.contact} characters`)
  }
  return { text, contact: contact === '' ? null : contact }
}

/** Cleans the name of a browser, which may be anything. */
export function readUserAgent(header: string | undefined): string | null {
  const agent = toOneLine(header ?? '').slice(0, 500)
  return agent === '' ? null : agent.toWellFormed()
}

function toOneLine(text: string): string {
  return toCleanName(text.toWellFormed().replace(/\s+/g, ' ')).trim()
}

/** Counts characters, of which some are two units of UTF-16. */
function isLonger(text: string, limit: number): boolean {
  return text.length > limit && (text.length > limit * 2 || Array.from(text).length > limit)
}
