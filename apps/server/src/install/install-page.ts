import type { BuildRecord } from '../builds/build.ts'
import { toIconUrl } from '../links/install-url.ts'
import { renderActions } from './actions.ts'
import type { Device } from './device.ts'
import { html, type Html } from '../html/html.ts'
import type { Language } from './language.ts'
import { renderNotes } from '../html/notes.ts'
import { findObstacles, isCertain, type Obstacle } from './obstacles.ts'
import { toSystemName } from './os-version.ts'
import type { OtherBuilds } from './other-builds.ts'
import { renderPage } from './page.ts'
import { toShownText } from './shown-text.ts'
import { toLocalPath } from './urls.ts'
import type { Explained, Words } from './words/words.ts'

export interface InstallPage {
  build: BuildRecord
  others: OtherBuilds
  device: Device
  language: Language
  grant: string
  /** The link that opened the page. */
  link: string
  baseUrl: string
}

export function renderInstallPage(page: InstallPage): string {
  const { build, device, language, baseUrl } = page
  const { words } = language
  const obstacles = findObstacles({ ...page, now: Date.now() })
  const name = toShownText(build.name)
  const version = toShownVersion(words, build)
  const icon = build.icon_blob_id === null ? null : toLocalPath(toIconUrl(build, baseUrl))
  const isHopeless = obstacles.some(isCertain)
  return renderPage({
    lang: language.tag,
    title: `${name} ${version}`,
    icon,
    content: html`<main>
      <header class="app">
        ${renderIcon(icon, name)}
        <h1><bdi>${name}</bdi></h1>
        <p class="version"><bdi>${version}</bdi></p>
        <p class="quiet">${words.madeFor[build.platform]}</p>
      </header>
      ${renderObstacles(obstacles, language)}
      <div class="actions">${renderActions({ ...page, words, isHopeless })}</div>
      ${renderFacts(build, language)} ${renderReleaseNotes(build, words)} ${renderHelp(build, device, words)}
    </main>`,
  })
}

/** Shows a build's versions to testers, truncated when they are very long. */
function toShownVersion(words: Words, { short_version, version }: { short_version: string; version: string }): string {
  return words.version(toShownText(short_version, 40), toShownText(version, 40))
}

/** The image has an empty alt text, because the name stands beside it. */
function renderIcon(icon: string | null, name: string): Html {
  if (icon !== null) return html`<img class="icon" src="${icon}" alt="" width="96" height="96" />`
  const [letter] = new Intl.Segmenter().segment(name.toUpperCase())
  return html`<div class="icon letter" aria-hidden="true">${letter?.segment}</div>`
}

function renderObstacles(obstacles: Obstacle[], language: Language): Html | null {
  if (obstacles.length === 0) return null
  const items = obstacles.map((obstacle) => {
    const { title, text } = explain(obstacle, language)
    return html`<li class="${isCertain(obstacle) ? 'certain' : 'possible'}"><strong>${title}</strong> ${text}</li>`
  })
  return html`<section aria-label="${language.words.beforeYouInstall}">
    <ul class="obstacles">
      ${items}
    </ul>
  </section>`
}

function explain(obstacle: Obstacle, { words, formatDate }: Language): Explained {
  const shown =
    'build' in obstacle
      ? {
          ...obstacle,
          build: {
            short_version: toShownText(obstacle.build.short_version, 40),
            version: toShownText(obstacle.build.version, 40),
          },
        }
      : obstacle
  // The table maps each kind to a function of that kind; TypeScript cannot express this correlation for a union.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  const explainKind = words.obstacles[obstacle.kind] as (shown: Obstacle, format: typeof formatDate) => Explained
  return explainKind(shown, formatDate)
}

function renderFacts(build: BuildRecord, { words, formatDate, formatSize }: Language): Html {
  const system = toSystemName(build.platform, build.min_os_version)
  const facts: [string, string | Html][] = [
    [words.size, formatSize(build.size)],
    [words.uploaded, renderDate(build.uploaded_at, formatDate)],
    [words.expires, renderDate(build.expires_at, formatDate)],
  ]
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

function renderDate(instant: number, formatDate: Language['formatDate']): Html {
  return html`<time datetime="${new Date(instant).toISOString()}">${formatDate(instant)}</time>`
}

/** Release notes may be in any language, so an empty `lang` cancels the page's language. */
function renderReleaseNotes({ release_notes }: BuildRecord, words: Words): Html | null {
  if (release_notes === null || release_notes.trim() === '') return null
  return html`<section class="notes">
    <h2>${words.notes}</h2>
    <div lang="" dir="auto">${renderNotes(release_notes)}</div>
  </section>`
}

function renderHelp({ platform }: BuildRecord, device: Device, words: Words): Html | null {
  if (device.platform !== null && device.platform !== platform) return null
  return html`<details>
    <summary>${words.help}</summary>
    <ul>
      ${words.helpWith[platform].map((line) => html`<li>${line}</li>`)}
    </ul>
  </details>`
}
