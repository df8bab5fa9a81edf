import type { BuildRecord } from '../builds/build.ts'
import { toInstallUrl } from '../links/install-url.ts'
import type { Device } from './device.ts'
import { html, type Html } from '../html/html.ts'
import { renderQrCode } from './qr-code.ts'
import { toBinaryUrl, toInstallerUrl, toLocalPath } from './urls.ts'
import type { Words } from './words/words.ts'

export interface Offer {
  build: BuildRecord
  device: Device
  /** The permission that stands in the addresses of what is fetched. */
  grant: string
  /** The link the page was opened by; it goes on to the phone. */
  link: string
  baseUrl: string
  words: Words
  /** Something stops the installation for certain: the way stays open, and is not recommended. */
  isHopeless: boolean
}

/** The one right thing to do on a device; on a desktop, the way to the phone, and the file. */
export function renderActions(offer: Offer): Html {
  const { build, device, grant, baseUrl, words, isHopeless } = offer
  const { platform } = build
  const download = toLocalPath(toBinaryUrl(build, grant, baseUrl))
  if (device.platform === null) return renderDesktop(offer, download)
  if (device.platform !== platform)
    return html`<a class="action second" href="${download}">${words.download[platform]}</a>`
  const href = platform === 'ios' ? toInstallerUrl(build, grant, baseUrl) : download
  return html`<a class="action${isHopeless ? ' second' : ''}" href="${href}">${words.install}</a>
    <p class="quiet">${words.afterTap[platform]}</p>`
}

function renderDesktop({ build, device, grant, link, baseUrl, words }: Offer, download: string): Html {
  const onIpad =
    device.mayBeIpad && build.platform === 'ios'
      ? html`<p class="quiet">${words.onIpad}</p>
          <p><a class="action second" href="${toInstallerUrl(build, grant, baseUrl)}">${words.installOnIpad}</a></p>`
      : null
  return html`${renderQrCode(link, words.scan)}
    <p class="quiet">${words.scan}</p>
    <a class="action second" href="${download}">${words.download[build.platform]}</a>
    ${onIpad}`
}

/** The link of a build as it was opened: a personal one stays personal. */
export function toOpenedLink(
  build: Pick<BuildRecord, 'secret'>,
  personal: string | undefined,
  baseUrl: string,
): string {
  const link = toInstallUrl(build, baseUrl)
  return personal === undefined ? link : `${link}/for/${personal}`
}
