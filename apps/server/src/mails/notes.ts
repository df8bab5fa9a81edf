import { Html } from '../html/html.ts'

/** Release notes as Markdown and as HTML, stored once for all mails of a distribution. */
export interface NewMailNotes {
  text: string
  html: string
}

/**
 * Marks where release notes belong in a stored mail. Markup in app names is escaped, so none can bring this comment
 * into the HTML; in the text the mark is the last paragraph.
 */
export const notesPlace = { text: '[release notes]', html: new Html('<!-- release notes -->') }

interface StoredMail {
  text: string
  html: string
  notes: NewMailNotes | null
}

/** Returns the text and the HTML of a mail with its release notes in place. */
export function placeNotes({ text, html, notes }: StoredMail): NewMailNotes {
  if (notes === null) return { text, html }
  const head = text.endsWith(notesPlace.text) ? text.slice(0, -notesPlace.text.length) : `${text}\n\n`
  return { text: head + notes.text, html: html.replace(notesPlace.html.toString(), () => notes.html) }
}
