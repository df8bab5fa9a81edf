import type { ZipEntry } from '@fairlead/binary'

/** A file of an archive that should hold debug information, with the bundle that it lies in. */
export interface DebugEntry {
  entry: ZipEntry
  /** The file's own name, which is the name of the binary. */
  name: string
  /**
   * The bundle's folder with a slash at the end, such as `dSYMs/App.app.dSYM/`; empty for a file that lies in no
   * bundle.
   */
  bundle: string
}

/**
 * Lists the files in `*.dSYM/Contents/Resources/DWARF/`, in any case of letters and below any folders. Files that macOS
 * adds by itself (`__MACOSX`, `._name`) are left out. Each name counts once.
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
