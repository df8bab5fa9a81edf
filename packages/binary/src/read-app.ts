import { readApk } from './android/read-apk.ts'
import { refuseBundle } from './android/refuse-bundle.ts'
import type { AppInfo } from './app-info.ts'
import { BinaryError } from './binary-error.ts'
import { readIpa } from './apple/read-ipa.ts'
import type { ReadAppOptions } from './read-app-options.ts'
import { openZip, type ZipArchive } from './zip/zip.ts'

const maxWarnings = 50
const maxDirectoryBytes = 24 * 1024 * 1024

/**
 * Reads the metadata of an app build, given by its path or in memory. It uses small positioned reads, which are
 * synchronous, so a server should call it in a worker (`createAppReader`); a command-line tool can call it directly.
 *
 * @throws BinaryError and no other error; the promise rejects with it.
 */
export async function readApp(file: string | Uint8Array, options: ReadAppOptions = {}): Promise<AppInfo> {
  using open = openApp(file)
  return await readOpenApp(open, options)
}

/** An open app file with the oddities that were noticed in it so far. */
export interface OpenApp extends Disposable {
  archive: ZipArchive
  warnings: string[]
}

/** @throws BinaryError */
export function openApp(file: string | Uint8Array): OpenApp {
  const warnings: string[] = []
  const archive = openZip(file, { maxDirectoryBytes, onOddity: (oddity) => warnings.push(oddity) })
  return { archive, warnings, [Symbol.dispose]: () => archive[Symbol.dispose]() }
}

/** Does the same as `readApp` with a file that is open. */
export async function readOpenApp({ archive, warnings }: OpenApp, options: ReadAppOptions): Promise<AppInfo> {
  const info = await readArchive(archive, warnings, options)
  return { ...info, warnings: [...new Set(warnings)].slice(0, maxWarnings) }
}

async function readArchive(archive: ZipArchive, warnings: string[], options: ReadAppOptions): Promise<AppInfo> {
  const manifest = archive.findEntry('AndroidManifest.xml')
  if (manifest) return readApk(archive, manifest, warnings, options)
  await refuseBundle(archive)
  const info = readIpa(archive, warnings)
  if (info) return info
  const hasPayload = archive.entries.some(({ name }) => name.startsWith('Payload/'))
  throw new BinaryError(
    'not-an-app',
    hasPayload
      ? 'Its Payload folder has no app with an Info.plist.'
      : 'It has neither an AndroidManifest.xml nor a Payload folder.',
  )
}
