/** Text that is HTML already and may stand in a page as it is. */
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

/** A piece of a page. Every value in it is escaped, unless it is a piece itself; null and undefined show nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + toHtml(parts[index - 1]) + string))
}

function toHtml(part: Part): string {
  if (part === null || part === undefined) return ''
  if (Array.isArray(part)) return part.map(toHtml).join('')
  return part instanceof Html ? part.toString() : escapeMarkup(String(part))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** For HTML and XML, in text and in quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
