import type { BuildRecord } from '../builds/build.ts'
import { html } from './html.ts'
import { renderPage } from './page.ts'
import { toBinaryUrl, toInstallerUrl } from './urls.ts'

export interface InstallPage {
  build: BuildRecord
  grant: string
  baseUrl: string
  userAgent: string
}

export function renderInstallPage({ build, grant, baseUrl, userAgent }: InstallPage): string {
  const isPhone = /iPhone|iPad|iPod|Android/.test(userAgent)
  const href =
    build.platform === 'ios' && isPhone ? toInstallerUrl(build, grant, baseUrl) : toBinaryUrl(build, grant, baseUrl)
  return renderPage(
    build.name,
    html`<main>
      <h1>${build.name}</h1>
      <p>${build.short_version} (${build.version})</p>
      <p><a class="action" href="${href}">Install</a></p>
      ${build.release_notes === null ? null : html`<pre>${build.release_notes}</pre>`}
    </main>`,
  )
}
