import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, Html } from '../html/html.ts'

/** Without the spaces that only its readers need. */
const style = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8').replace(/\s+/g, ' ')

export interface Page {
  /** Of the words on it. */
  lang: string
  title: string
  /** The path of a picture for the browser's tab. */
  icon?: string | null
  content: Html
}

/** A whole page around its content, complete in itself: no script, nothing to fetch but an icon. */
export function renderPage({ lang, title, icon = null, content }: Page): string {
  return html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="format-detection" content="telephone=no" />
        <title>${title}</title>
        ${icon === null ? null : html`<link rel="icon" href="${icon}" />`} ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        ${content}
      </body>
    </html> `.toString()
}

/** Whatever slips through the escaping: nothing runs, nothing is loaded from elsewhere, and the style is ours. */
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
