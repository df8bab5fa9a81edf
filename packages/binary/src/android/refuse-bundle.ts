import type { AppInfo } from '../app-info.ts'
import { BinaryError } from '../binary-error.ts'
import { sliceSource } from '../source/byte-source.ts'
import { withinBounds } from '../within-bounds.ts'
import type { ZipEntry } from '../zip/directory.ts'
import { openZip, type ZipArchive } from '../zip/zip.ts'
import { describeManifest } from './describe-manifest.ts'
import { collectManifest } from './manifest.ts'
import { parseProtoResources } from './proto-resources.ts'
import { readProtoElements } from './proto-xml.ts'
import { readApk } from './read-apk.ts'
import { noResources } from './resources.ts'

const maxManifestBytes = 4 * 1024 * 1024
const maxResourcesBytes = 16 * 1024 * 1024
const maxNestedApkBytes = 32 * 1024 * 1024
const baseNames = ['universal.apk', 'splits/base-master.apk', 'standalones/standalone.apk', 'base.apk']

/**
 * Throws if the archive is an app bundle or a set of APKs. The error's `app` holds the fields that could be read.
 *
 * @throws BinaryError `app-bundle` or `split-archive`.
 */
export async function refuseBundle(archive: ZipArchive): Promise<void> {
  const manifest = archive.findEntry('base/manifest/AndroidManifest.xml')
  if (manifest) throw new BinaryError('app-bundle', '', { app: await tryToRead(() => readBundle(archive, manifest)) })
  const apks = archive.entries.filter(({ name }) => /^((splits|standalones)\/)?[^/]+\.apk$/i.test(name))
  if (apks.length > 0)
    throw new BinaryError('split-archive', '', { app: await tryToRead(() => readBase(archive, apks)) })
}

/** Fields that cannot be read are omitted, because the error about the kind of archive is the one to report. */
async function tryToRead(read: () => AppPart | Promise<AppPart>): Promise<AppPart> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof BinaryError) return {}
    throw error
  }
}

type AppPart = Partial<AppInfo>

function readBundle(bundle: ZipArchive, entry: ZipEntry): AppPart {
  const bytes = bundle.readEntry(entry, maxManifestBytes)
  const table = bundle.findEntry('base/resources.pb')
  const resources = table ? parseProtoResources(bundle.readEntry(table, maxResourcesBytes)) : noResources
  const manifest = withinBounds('malformed-manifest', () => collectManifest(readProtoElements(bytes)))
  return describeManifest(manifest, resources, [])
}

/** Finds the base APK by its usual names, else takes the first APK that is no split. A stored APK is read in place. */
async function readBase(archive: ZipArchive, apks: ZipEntry[]): Promise<AppPart> {
  const isSplit = ({ name }: ZipEntry) => /(^|\/)(config\.|split_)/.test(name)
  const named = baseNames.map((name) => apks.find((apk) => apk.name === name)).find((apk) => apk !== undefined)
  const entry = named ?? apks.find((apk) => !isSplit(apk))
  if (!entry) return {}
  const stored = archive.locateStored(entry)
  const source = stored ? sliceSource(archive.source, stored.offset, stored.length) : undefined
  const apk = openZip(source ?? archive.readEntry(entry, maxNestedApkBytes), { onOddity: () => {} })
  const manifest = apk.findEntry('AndroidManifest.xml')
  if (!manifest) return {}
  const { icon: _, ...info } = await readApk(apk, manifest, [], {})
  return info
}
