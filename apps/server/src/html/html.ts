/** Text that is already HTML and is inserted unescaped. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

type Part = string | number | Html | null | undefined | Part[]

/** Builds HTML from a template and escapes every value that is not `Html`. Null and undefined render nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + toHtml(parts[index - 1]) + string))
}

function toHtml(part: Part): string {
  if (part === null || part === undefined) return ''
  if (Array.isArray(part)) return part.map(toHtml).join('')
  return part instanceof Html ? part.toString() : escapeMarkup(String(part))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML and XML content and quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
