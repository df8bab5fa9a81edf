import type { BuildRecord } from '../builds/build.ts'

const lengthLimit = 120

/** Returns the file name for a download: valid on every file system, with the extension that the phone needs. */
export function toDownloadName({ file_name, platform }: Pick<BuildRecord, 'file_name' | 'platform'>): string {
  const ending = platform === 'android' ? '.apk' : '.ipa'
  const stem = file_name.toLowerCase().endsWith(ending) ? file_name.slice(0, -ending.length) : file_name
  const clean = stem
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, lengthLimit)
    .toWellFormed()
    .trim()
  return `${clean === '' || clean.startsWith('.') ? `app${clean}` : clean}${ending}`
}
