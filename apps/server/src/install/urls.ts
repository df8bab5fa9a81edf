import type { BuildRecord } from '../builds/build.ts'

/** The prefix of addresses that a grant authorizes. A secret has 22 characters, so it is never this word. */
const grantedPath = '/install/granted'

/** Returns the download address of a binary. It contains the grant, because the installer sends no cookies. */
export function toBinaryUrl(build: Pick<BuildRecord, 'platform'>, grant: string, baseUrl: string): string {
  return `${baseUrl}${grantedPath}/${grant}/binary/app.${build.platform === 'android' ? 'apk' : 'ipa'}`
}

/** Returns the `itms-services` link that starts the iOS installer with the manifest's address. */
export function toInstallerUrl(grant: string, baseUrl: string): string {
  const manifest = toManifestUrl(grant, baseUrl)
  return `itms-services://?action=download-manifest&url=${encodeURIComponent(manifest)}`
}

/** Returns the address of the manifest that the iOS installer reads. */
export function toManifestUrl(grant: string, baseUrl: string): string {
  return `${baseUrl}${grantedPath}/${grant}/manifest.plist`
}

/** Returns the address of the icon for the installer, without the secret of the install link. */
export function toGrantedIconUrl(grant: string, baseUrl: string): string {
  return `${baseUrl}${grantedPath}/${grant}/icon`
}

/** Returns the path of an address, so that pages work under whatever host name they were reached. */
export function toLocalPath(url: string): string {
  return new URL(url).pathname
}
