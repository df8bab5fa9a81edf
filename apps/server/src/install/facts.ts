import type { BuildRecord } from '../builds/build.ts'
import { html, type Html } from '../html/html.ts'
import type { Language } from './language.ts'
import { toSystemName } from './os-version.ts'
import { toShownText } from './shown-text.ts'

/**
 * Lists size, dates and required system of a build.
 *
 * @param expiresAt until when the link works that opened the page, in epoch milliseconds; null for a link without end
 */
export function renderFacts(
  build: BuildRecord,
  expiresAt: number | null,
  { words, formatDate, formatSize }: Language,
): Html {
  const system = toSystemName(build.platform, build.min_os_version)
  const facts: [string, string | Html][] = [
    [words.size, formatSize(build.size)],
    [words.uploaded, renderDate(build.uploaded_at, formatDate)],
  ]
  if (expiresAt !== null) facts.push([words.expires, renderDate(expiresAt, formatDate)])
  if (system !== null) facts.push([words.requires, words.orLater(toShownText(system, 40))])
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

export function renderDate(instant: number, formatDate: Language['formatDate']): Html {
  return html`<time datetime="${new Date(instant).toISOString()}">${formatDate(instant)}</time>`
}
