import type { BuildRecord } from '../builds/build.ts'

/** Where the binary is fetched without a cookie: the permission stands in the path, the file's name at its end. */
export function toBinaryUrl(build: Pick<BuildRecord, 'secret' | 'platform'>, grant: string, baseUrl: string): string {
  return `${baseUrl}/install/${build.secret}/${grant}/binary/app.${build.platform === 'android' ? 'apk' : 'ipa'}`
}

/** What starts the installer of iOS: the address of the manifest, percent-encoded whole. */
export function toInstallerUrl(build: Pick<BuildRecord, 'secret'>, grant: string, baseUrl: string): string {
  const manifest = `${baseUrl}/install/${build.secret}/${grant}/manifest.plist`
  return `itms-services://?action=download-manifest&url=${encodeURIComponent(manifest)}`
}

/** The same address as a page on this server links to it: under whatever name the page was reached. */
export function toLocalPath(url: string): string {
  return new URL(url).pathname
}
