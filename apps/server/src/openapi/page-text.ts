import { html, type Html } from '../html/html.ts'

/** Renders text with `code` between backticks. */
export function renderText(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** Renders an example in a box that wraps its lines, so that nothing has to be scrolled sideways. */
export function renderSample(title: string, text: string): Html {
  return html`<figure>
    <figcaption>${title}</figcaption>
    <pre><code>${text}</code></pre>
  </figure>`
}

/** Writes a single value as headers, addresses and lists of choices contain it. */
export function toPlainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function toJsonText(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
