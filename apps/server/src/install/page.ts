import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, Html } from '../html/html.ts'

/** The style sheet with white space collapsed, because every page contains it inline. */
const style = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8').replace(/\s+/g, ' ')

export interface Page {
  /** The language of the words on the page. */
  lang: string
  title: string
  /** The path of the icon for the browser tab; by default the mark of Fairlead. */
  icon?: string | null
  /** Further elements of the head. */
  meta?: Html | null
  content: Html
}

/** Renders a complete page without scripts; the icon is the only file it loads. */
export function renderPage({ lang, title, icon = null, meta = null, content }: Page): string {
  return html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="format-detection" content="telephone=no" />
        <title>${title}</title>
        <link rel="icon" href="${icon ?? '/mark.svg'}" />
        ${meta} ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        ${content}
      </body>
    </html> `.toString()
}

/** The headers of a page with a form: submitting it to this server is all that it may do beyond the others. */
export function toFormHeaders(headers: Record<string, string>): Record<string, string> {
  const policy = headers['content-security-policy'] ?? ''
  return { ...headers, 'content-security-policy': policy.replace("form-action 'none'", "form-action 'self'") }
}

/**
 * The Content Security Policy is the second line of defence behind escaping: no script runs, nothing is loaded from
 * elsewhere, and only this style sheet applies.
 */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': [
    "default-src 'none'",
    "img-src 'self'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}
