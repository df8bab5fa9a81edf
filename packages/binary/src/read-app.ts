import { readApk } from './android/read-apk.ts'
import { refuseBundle } from './android/refuse-bundle.ts'
import type { AppInfo } from './app-info.ts'
import { BinaryError } from './binary-error.ts'
import { readIpa } from './apple/read-ipa.ts'
import { openZip, type ZipArchive } from './zip/zip.ts'

const maxWarnings = 50
const maxDirectoryBytes = 24 * 1024 * 1024

export interface ReadAppOptions {
  /** Verify the signatures and digests of an APK (v2 and later), which reads the whole file once. Default false. */
  verify?: boolean
}

/**
 * Reads what an app build, by its path or in memory, says about itself. Small positioned reads, synchronous once it runs: meant for a worker
 * (`createAppReader`), fine in a command-line tool. Rejects with BinaryError and nothing else.
 */
export async function readApp(file: string | Uint8Array, options: ReadAppOptions = {}): Promise<AppInfo> {
  const warnings: string[] = []
  using archive = openZip(file, { maxDirectoryBytes, onOddity: (oddity) => warnings.push(oddity) })
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
      ? 'Its Payload folder holds no app with an Info.plist.'
      : 'It has neither an AndroidManifest.xml nor a Payload folder.',
  )
}
