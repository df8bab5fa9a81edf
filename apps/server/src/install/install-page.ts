import type { BuildRecord } from '../builds/build.ts'
import { renderActions } from './actions.ts'
import type { Device } from './device.ts'
import { renderFacts } from './facts.ts'
import { html, type Html } from '../html/html.ts'
import type { Language } from './language.ts'
import { renderNotes } from '../html/notes.ts'
import { type FeedbackForm, renderFeedback } from './feedback-form.ts'
import { findObstacles, isCertain, type Obstacle } from './obstacles.ts'
import { type OlderBuild, renderOlderBuilds } from './older-builds.ts'
import type { OtherBuilds } from './other-builds.ts'
import { renderPage } from './page.ts'
import { toShownText } from './shown-text.ts'
import { toShownVersion } from './shown-version.ts'
import type { Explained, Words } from './words/words.ts'

export interface InstallPage {
  build: BuildRecord
  others: OtherBuilds
  /** Whether the profile of the build lists a device of the tester; null where that is not known. */
  isInProfile: boolean | null
  device: Device
  language: Language
  grant: string
  /** The link that opened the page. */
  link: string
  /** The path of the page with all builds of the tester whose personal link it is; null for other links. */
  testerPage: string | null
  /** Until when that link works, in epoch milliseconds; null for a link without end. */
  expiresAt: number | null
  /** The path of the icon; null for a build without one. */
  icon: string | null
  /** The address of the icon that other pages may load, for previews in chats; null for a page without a preview. */
  preview: { icon: string | null } | null
  /** Builds that the link showed before. */
  older: OlderBuild[]
  /** Where its feedback goes; null where none is taken. */
  feedback: FeedbackForm | null
  baseUrl: string
}

export function renderInstallPage(page: InstallPage): string {
  const { build, device, language, icon } = page
  const { words } = language
  const obstacles = findObstacles({ ...page, now: Date.now() })
  const name = toShownText(build.name)
  const version = toShownVersion(words, build)
  const isHopeless = obstacles.some(isCertain)
  return renderPage({
    lang: language.tag,
    title: `${name} ${version}`,
    icon,
    meta: renderPreview(page, `${name} ${version}`),
    content: html`<main data-build-id="${String(build.id)}">
      <header class="app">
        ${renderIcon(icon, name)}
        <h1><bdi>${name}</bdi></h1>
        <p class="version"><bdi>${version}</bdi></p>
        <p class="quiet">${words.madeFor[build.platform]}</p>
      </header>
      ${renderObstacles(obstacles, language)}
      <div class="actions">${renderActions({ ...page, words, isHopeless })}</div>
      ${renderFacts(build, page.expiresAt, language)} ${renderReleaseNotes(build, words)}
      ${renderOlderBuilds(page.older, page)} ${renderHelp(build, device, words)}
      ${page.feedback === null ? null : renderFeedback(page.feedback, words)} ${renderTesterLink(page)}
    </main>`,
  })
}

/** Tells chats, by the Open Graph protocol, what to show beside the link. */
function renderPreview({ preview, link }: InstallPage, title: string): Html | null {
  if (preview === null) return null
  return html`<meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:url" content="${link}" />
    ${preview.icon === null ? null : html`<meta property="og:image" content="${preview.icon}" />`}`
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

/** Release notes may be in any language, so an empty `lang` cancels the page's language. */
function renderReleaseNotes({ release_notes }: BuildRecord, words: Words): Html | null {
  if (release_notes === null || release_notes.trim() === '') return null
  return html`<section class="notes">
    <h2>${words.notes}</h2>
    <div lang="" dir="auto">${renderNotes(release_notes)}</div>
  </section>`
}

function renderTesterLink({ testerPage, language }: InstallPage): Html | null {
  if (testerPage === null) return null
  return html`<p class="own-page"><a href="${testerPage}">${language.words.testerPage.allBuilds}</a></p>`
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
