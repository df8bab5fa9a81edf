import type { ZipEntry } from '@fairlead/binary'

/** A file of an archive that should be debug information, and the bundle it lies in. */
export interface DebugEntry {
  entry: ZipEntry
  /** Its own name, which is that of the binary. */
  name: string
  /** The bundle's folder, with its slash at the end: `dSYMs/App.app.dSYM/`. Empty for a file that lies in no bundle. */
  bundle: string
}

/**
 * Finds what lies in `*.dSYM/Contents/Resources/DWARF/`, whatever the case of the folders and whatever they are wrapped in.
 * What macOS adds on its own account (`__MACOSX`, `._name`) is passed over. Each name counts once.
 */
export function listDebugEntries(entries: readonly ZipEntry[]): DebugEntry[] {
  const found = new Map<string, DebugEntry>()
  for (const entry of entries) {
    const parts = entry.name.split('/')
    const name = parts.at(-1) ?? ''
    if (name === '' || isLitter(parts)) continue
    const folders = parts.slice(0, -1)
    const bundleAt = folders.length - 4
    const [bundle, ...inside] = folders.slice(Math.max(0, bundleAt)).map((folder) => folder.toLowerCase())
    if (bundleAt < 0 || !bundle?.endsWith('.dsym') || inside.join('/') !== 'contents/resources/dwarf') continue
    if (!found.has(entry.name)) {
      found.set(entry.name, { entry, name, bundle: `${folders.slice(0, bundleAt + 1).join('/')}/` })
    }
  }
  return [...found.values()]
}

/** Whether a path is one that macOS makes when it packs an archive. */
export function isLitter(parts: readonly string[]): boolean {
  return parts.includes('__MACOSX') || (parts.at(-1) ?? '').startsWith('._')
}
