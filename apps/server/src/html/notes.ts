import { renderMarkdown } from '@fairlead/markdown'
import { Html } from './html.ts'

/** Renders release notes for install pages and mails, exactly as the preview of the dashboard does. */
export function renderNotes(notes: string): Html {
  return new Html(renderMarkdown(notes))
}
