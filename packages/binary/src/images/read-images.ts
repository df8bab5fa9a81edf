import { BinaryError } from '../binary-error.ts'
import type { ZipEntry } from '../zip/directory.ts'
import { clipText } from '../identifier.ts'
import { openZip, type ZipArchive } from '../zip/zip.ts'
import { readDexMapId } from './dex-map-id.ts'
import { readElfImage } from './elf-images.ts'
import { InflateBudget } from './inflate-budget.ts'
import { findBundleName, readJavaScriptBundle } from './javascript-bundle.ts'
import { readMachOImages } from './mach-o-images.ts'

/** A part of an app (a binary, the classes or the JavaScript) whose crashes need symbols of their own. */
export interface AppImage {
  /** File name of the binary or of the bundle of JavaScript, or `classes.dex`. */
  name: string
  /**
   * Mach-O UUID in upper case with dashes, the debug id of an ELF library or of a bundle of JavaScript in the same
   * form, or the map id that R8 wrote into the classes. Empty for a bundle without a debug id.
   */
  uuid: string
  architecture: string | null
}

const maxImages = 500
/** An app has one bundle of JavaScript; an archive may hold any number of entries with its name. */
const maxBundles = 4
const maxNameLength = 255
const maxEntryBytes = 2 ** 32
/**
 * Bytes that may be inflated for one app. A slice's load commands are at its start, so a thin binary of any size takes
 * a few kilobytes; only the second half of a fat one lies behind hundreds of megabytes.
 */
const usualInflatedBytes = 512 * 2 ** 20

export interface ReadImagesOptions {
  /** Bytes that may be inflated for one app; images behind them are not found. Default 512 MiB. */
  maxInflatedBytes?: number
}

const main = /^Payload\/[^/]+\.app\//

/**
 * Lists the images of an app by which its symbols are found: executables, frameworks and libraries of an IPA, the
 * classes of an APK that R8 processed, its libraries that have a build id, and the JavaScript of React Native. It
 * inflates whole entries, so it takes longer than `readApp`. Rejects with BinaryError.
 */
export async function readImages(path: string, options: ReadImagesOptions = {}): Promise<AppImage[]> {
  using archive = openZip(path, { onOddity: () => {} })
  return await readArchiveImages(archive, options)
}

/** Does the same as `readImages` with an archive that is open. */
export async function readArchiveImages(
  archive: ZipArchive,
  { maxInflatedBytes = usualInflatedBytes }: ReadImagesOptions = {},
): Promise<AppImage[]> {
  const budget = new InflateBudget(maxInflatedBytes)
  const dex = archive.entries.find(({ name }) => name === 'classes.dex')
  const libraries = archive.entries.filter(isOwnLibrary)
  const bundles = await readBundles(archive, budget)
  if (!dex && libraries.length === 0)
    return [...bundles, ...(await readAppleImages(archive, budget))].slice(0, maxImages)
  const classes = dex ? await readDexImage(archive, dex, budget) : []
  return [...classes, ...bundles, ...(await readLibraries(archive, libraries, budget))].slice(0, maxImages)
}

async function readBundles(archive: ZipArchive, budget: InflateBudget): Promise<AppImage[]> {
  const images: AppImage[] = []
  for (const entry of archive.entries) {
    const name = findBundleName(entry.name)
    if (name === undefined || images.length === maxBundles) continue
    const chunks = budget.limit(archive.streamEntry(entry, maxEntryBytes))
    const image = await orNothing(() => readJavaScriptBundle(name, chunks))
    if (image) images.push(image)
  }
  return images
}

/** Libraries that come ready-made with frameworks. Their makers have the symbols, and few apps can get them. */
const foreignLibraries = [
  /^lib(?:c\+\+_shared|flutter|unity|mono-\w+|monosgen\S*|sentry\S*)\.so$/,
  /^lib(?:hermes\w*|reactnative\w*|react_\w+|jsc|jsi\w*|fbjni|folly_runtime|glog\w*|yoga)\.so$/,
]

/** True for a library of an APK, in the folder of an architecture. */
function isOwnLibrary({ name }: ZipEntry): boolean {
  const file = /^lib\/[^/]+\/([^/]+\.so)$/.exec(name)?.[1]
  return file !== undefined && !foreignLibraries.some((pattern) => pattern.test(file))
}

async function readLibraries(
  archive: ZipArchive,
  entries: readonly ZipEntry[],
  budget: InflateBudget,
): Promise<AppImage[]> {
  const images = new Map<string, AppImage>()
  for (const entry of entries.slice(0, maxImages)) {
    if (budget.isSpent) break
    const name = clipText(entry.name.split('/').at(-1) ?? '').slice(0, maxNameLength)
    const image = await orNothing(() => readElfImage(budget.limit(archive.streamEntry(entry, maxEntryBytes))))
    if (image) images.set(image.uuid, { name, ...image })
  }
  return [...images.values()]
}

/** An entry that cannot be inflated yields no image, because the rest of the app is still readable. */
async function orNothing<Answer>(read: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof BinaryError) return undefined
    throw error
  }
}

async function readDexImage(archive: ZipArchive, dex: ZipEntry, budget: InflateBudget): Promise<AppImage[]> {
  const uuid = await readDexMapId(budget.limit(archive.streamEntry(dex, maxEntryBytes)))
  return uuid === undefined ? [] : [{ name: 'classes.dex', uuid, architecture: null }]
}

async function readAppleImages(archive: ZipArchive, budget: InflateBudget): Promise<AppImage[]> {
  const images = new Map<string, AppImage>()
  for (const entry of archive.entries.filter(mayBeImage).slice(0, maxImages)) {
    if (budget.isSpent) break
    const name = clipText(entry.name.split('/').at(-1) ?? '').slice(0, maxNameLength)
    // Apple's own Swift libraries, which an app carries for old systems, have no symbols that anybody could upload.
    if (name.startsWith('libswift')) continue
    for (const { uuid, architecture } of await readEntryImages(archive, entry, budget)) {
      images.set(uuid, { name, uuid, architecture })
    }
  }
  return [...images.values()].slice(0, maxImages)
}

/** True for a file in a bundle that has the name of its folder, and for libraries. */
function mayBeImage({ name }: ZipEntry): boolean {
  if (!main.test(name)) return false
  if (name.endsWith('.dylib')) return true
  const [file = '', folder = ''] = name.split('/').reverse()
  return file !== '' && new Set(['app', 'appex', 'framework'].map((kind) => `${file}.${kind}`)).has(folder)
}

async function readEntryImages(archive: ZipArchive, entry: ZipEntry, budget: InflateBudget) {
  return (await orNothing(() => readMachOImages(budget.limit(archive.streamEntry(entry, maxEntryBytes))))) ?? []
}
