import type { BuildRecord } from '../builds/build.ts'

/** Returns the download address of a binary. It contains the grant, because the installer sends no cookies. */
export function toBinaryUrl(build: Pick<BuildRecord, 'secret' | 'platform'>, grant: string, baseUrl: string): string {
  return `${baseUrl}/install/${build.secret}/${grant}/binary/app.${build.platform === 'android' ? 'apk' : 'ipa'}`
}

/** Returns the `itms-services` link that starts the iOS installer with the manifest's address. */
export function toInstallerUrl(build: Pick<BuildRecord, 'secret'>, grant: string, baseUrl: string): string {
  const manifest = `${baseUrl}/install/${build.secret}/${grant}/manifest.plist`
  return `itms-services://?action=download-manifest&url=${encodeURIComponent(manifest)}`
}

/** Returns the path of an address, so that pages work under whatever host name they were reached. */
export function toLocalPath(url: string): string {
  return new URL(url).pathname
}
