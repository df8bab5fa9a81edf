import { createHash } from 'node:crypto'
import { html, Html } from '../html/html.ts'
import { type Refusal, refusals } from './refusal.ts'

const style = `
:root { color-scheme: light dark; }
body {
  margin: 0; padding: 12vh 16px 40px; overflow-wrap: anywhere;
  font: 16px/1.5 system-ui, sans-serif;
  background: light-dark(#f4f6fa, #0d1118); color: light-dark(#131a26, #edf1f8);
}
main {
  max-width: 26rem; margin: 0 auto; padding: 28px 24px; border-radius: 16px;
  border: 1px solid light-dark(#dfe4ed, #2b3342); background: light-dark(#ffffff, #171c26);
}
h1 { margin: 0 0 12px; font-size: 1.375rem; line-height: 1.25; text-wrap: balance; }
p { margin: 0 0 12px; }
.detail { font-size: 0.9375rem; color: light-dark(#566176, #9fabbf); }
a { color: light-dark(#0b6c7e, #52b0bf); font-weight: 600; }
:focus-visible { outline: 3px solid light-dark(#0b6c7e, #52b0bf); outline-offset: 3px; border-radius: 4px; }
`.replace(/\s+/g, ' ')

/** Renders the page of a refused sign-in. Its reason is an attribute for programs. */
export function renderRefusal({ reason, message }: Refusal, providerName: string): string {
  const { title, text } = refusals[reason]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Fairlead</title>
        <link rel="icon" href="/mark.svg" />
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <main data-reason="${reason}">
          <h1>${title}</h1>
          <p>${text(providerName)}</p>
          ${message === '' ? null : html`<p class="detail"><bdi>${message}</bdi></p>`}
          <p><a href="/sign-in">Back to the sign-in</a></p>
        </main>
      </body>
    </html> `.toString()
}

/** No script runs, and nothing is loaded but the icon: a part of the words may come from the provider. */
export const refusalHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "img-src 'self'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
}
