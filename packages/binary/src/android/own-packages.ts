/**
 * Finds the packages that hold the app's own code, by what its classes say: the Gradle plugin writes the constant
 * `APPLICATION_ID` into the class `BuildConfig` of the app's module alone, which may have another name than the app.
 * Classes that the manifest names do not tell, because the launcher's activity is often that of a library.
 */
import { BinaryError } from '../binary-error.ts'
import type { ZipArchive } from '../zip/zip.ts'
import { type DexClasses, readDexClasses } from './dex.ts'

const maxDexFiles = 32
/** What is read of one file, and of all. */
const maxDexBytes = 48 * 2 ** 20
const maxAllBytes = 96 * 2 ** 20
const maxPackages = 20
const longestPackage = 200

/** Lists packages such as `org.shop.cart`; empty for what is no APK. */
export function readOwnPackages(apk: ZipArchive): string[] {
  const packages = new Set<string>()
  for (const { classes, withApplicationId } of readClasses(apk)) {
    for (const name of withApplicationId) {
      const [, found] = /^(.+)\.BuildConfig$/.exec(name) ?? []
      if (found !== undefined && found.length <= longestPackage && classes.has(name)) packages.add(found)
    }
  }
  return [...packages].sort().slice(0, maxPackages)
}

function* readClasses(apk: ZipArchive): Generator<DexClasses> {
  let left = maxAllBytes
  const files = apk.entries.filter(({ name }) => /^classes\d{0,3}\.dex$/.test(name))
  for (const entry of files.slice(0, maxDexFiles)) {
    if (entry.uncompressedSize > Math.min(left, maxDexBytes)) continue
    left -= entry.uncompressedSize
    try {
      yield readDexClasses(apk.readEntry(entry, maxDexBytes))
    } catch (error) {
      // The other files may still say something.
      if (!(error instanceof BinaryError)) throw error
    }
  }
}
