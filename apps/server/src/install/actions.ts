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
  /** The signed download permission that is part of the file's address. */
  grant: string
  /** The link that opened the page; the QR code passes it on to the phone. */
  link: string
  baseUrl: string
  words: Words
  /** An obstacle certainly prevents the installation. The button stays usable but is no longer the primary one. */
  isHopeless: boolean
}

/**
 * Renders the one suitable action for the device. On a desktop that is a QR code for the phone and the file download.
 */
export function renderActions(offer: Offer): Html {
  const { build, device, grant, baseUrl, words, isHopeless } = offer
  const { platform } = build
  const download = toLocalPath(toBinaryUrl(build, grant, baseUrl))
  if (device.platform === null) return renderDesktop(offer, download)
  if (device.platform !== platform)
    return html`<a class="action second" href="${download}">${words.download[platform]}</a>`
  const href = platform === 'ios' ? toInstallerUrl(grant, baseUrl) : download
  return html`<a class="action${isHopeless ? ' second' : ''}" href="${href}">${words.install}</a>
    <p class="quiet">${words.afterTap[platform]}</p>`
}

function renderDesktop({ build, device, grant, link, baseUrl, words }: Offer, download: string): Html {
  const onIpad =
    device.mayBeIpad && build.platform === 'ios'
      ? html`<p class="quiet">${words.onIpad}</p>
          <p><a class="action second" href="${toInstallerUrl(grant, baseUrl)}">${words.installOnIpad}</a></p>`
      : null
  return html`${renderQrCode(link, words.scan)}
    <p class="quiet">${words.scan}</p>
    <a class="action second" href="${download}">${words.download[build.platform]}</a>
    ${onIpad}`
}

/** Returns the link that opened the page; a personal link stays personal. */
export function toOpenedLink(
  build: Pick<BuildRecord, 'secret'>,
  personal: string | undefined,
  baseUrl: string,
): string {
  const link = toInstallUrl(build, baseUrl)
  return personal === undefined ? link : `${link}/for/${personal}`
}
