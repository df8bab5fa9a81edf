import { html, type Html } from '../html/html.ts'
import { renderDate } from '../install/facts.ts'
import { toShownText } from '../install/shown-text.ts'
import { toShownVersion } from '../install/shown-version.ts'
import { toLocalPath } from '../install/urls.ts'
import { toIconUrl } from '../links/install-url.ts'
import { toPersonalUrl } from '../tester-links/personal-link.ts'
import type { TesterBuild } from './list-builds.ts'
import type { TesterPage } from './tester-page.ts'

/** Lists the builds, newest first. A tester of several apps can look at one of them. */
export function renderBuilds(page: TesterPage): Html {
  const { builds, isCut, language, applicationId } = page
  const words = language.words.testerPage
  if (builds.length === 0) return html`<p>${words.nothing}</p>`
  const shown = applicationId === null ? builds : builds.filter(({ application_id: of }) => of === applicationId)
  return html`${renderApps(page)}
    <div class="builds">${shown.map((build) => renderBuild(build, page))}</div>
    ${isCut ? html`<p class="quiet">${words.cutAfter(builds.length)}</p>` : null}`
}

/** Links to the builds of each app, if there are several. */
function renderApps({ builds, applicationId, path, language: { words } }: TesterPage): Html | null {
  const apps = new Map(builds.map((build) => [build.application_id, build]))
  if (apps.size < 2) return null
  const link = (href: string, name: string, isCurrent: boolean) =>
    isCurrent
      ? html`<a href="${href}" aria-current="page"><bdi>${name}</bdi></a>`
      : html`<a href="${href}"><bdi>${name}</bdi></a>`
  return html`<nav class="apps">
    ${link(path, words.testerPage.allApps, applicationId === null)}
    ${[...apps].map(([id, { application_name: name, platform }]) =>
      link(`${path}?application=${id}`, `${toShownText(name, 60)} · ${words.madeFor[platform]}`, id === applicationId),
    )}
  </nav>`
}

function renderBuild(build: TesterBuild, { tester, language, takesFeedback, baseUrl, signingKey }: TesterPage): Html {
  const { words, formatDate, formatSize } = language
  const name = toShownText(build.name)
  const version = toShownVersion(words, build)
  const href = toLocalPath(toPersonalUrl(build, tester, baseUrl, signingKey))
  return html`<article data-build-id="${String(build.id)}">
    ${renderIcon(build, name, baseUrl)}
    <div class="about">
      <h2><bdi>${name}</bdi></h2>
      <p><bdi>${version}</bdi></p>
      <p class="quiet">
        ${words.madeFor[build.platform]} · ${renderDate(build.uploaded_at, formatDate)} · ${formatSize(build.size)}
      </p>
      ${build.isInstalled ? html`<p class="installed">✓ ${words.testerPage.installed}</p>` : null}
      ${build.link_password_hash === null ? null : html`<p class="quiet">${words.testerPage.needsPassword}</p>`}
      ${
        takesFeedback
          ? html`<p>
              <a href="${href}/feedback" aria-label="${words.feedback.send}: ${name} ${version}"
                >${words.feedback.send}</a
              >
            </p>`
          : null
      }
    </div>
    <a class="open" href="${href}" aria-label="${words.testerPage.open}: ${name} ${version}"
      >${words.testerPage.open}</a
    >
  </article>`
}

/** The image has an empty alt text, because the name stands beside it. */
function renderIcon(build: TesterBuild, name: string, baseUrl: string): Html {
  if (build.icon_blob_id !== null) {
    return html`<img src="${toLocalPath(toIconUrl(build, baseUrl))}" alt="" width="48" height="48" loading="lazy" />`
  }
  const [letter] = new Intl.Segmenter().segment(name.toUpperCase())
  return html`<div class="letter" aria-hidden="true">${letter?.segment}</div>`
}
