import type { BuildRecord } from '../builds/build.ts'
import { html, type Html } from '../html/html.ts'
import type { Device } from './device.ts'
import { renderDate } from './facts.ts'
import type { Language } from './language.ts'
import { toShownVersion } from './shown-version.ts'
import { toBinaryUrl, toInstallerUrl, toLocalPath } from './urls.ts'

/** An earlier build of a latest link, with the permission to download it. */
export interface OlderBuild {
  build: BuildRecord
  grant: string
}

/** Lists the builds that a latest link showed before, each with its download. */
export function renderOlderBuilds(
  older: OlderBuild[],
  { device, language, baseUrl }: { device: Device; language: Language; baseUrl: string },
): Html | null {
  if (older.length === 0) return null
  const { words, formatDate } = language
  return html`<section class="older">
    <h2>${words.olderBuilds}</h2>
    <ul>
      ${older.map(({ build, grant }) => {
        const { platform } = build
        const isInstalled = device.platform === platform
        const href =
          isInstalled && platform === 'ios'
            ? toInstallerUrl(grant, baseUrl)
            : toLocalPath(toBinaryUrl(build, grant, baseUrl))
        const version = toShownVersion(words, build)
        return html`<li>
          <span><bdi>${version}</bdi> <span class="quiet">${renderDate(build.uploaded_at, formatDate)}</span></span>
          <a href="${href}" aria-label="${isInstalled ? words.install : words.download[platform]}: ${version}"
            >${isInstalled ? words.install : words.download[platform]}</a
          >
        </li>`
      })}
    </ul>
  </section>`
}
