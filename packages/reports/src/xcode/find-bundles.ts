import type { UploadEntry } from '../archive/upload.ts'

/** A result bundle in an archive: a folder with `Info.plist` and either the database or the folder `Data`. */
export interface Bundle {
  /** The folder, without a slash at the end; `''` is the archive itself. */
  folder: string
  /** `Info.plist`. */
  entry: UploadEntry
  /** The database, which xcresulttool writes when it first reads the bundle. */
  database: UploadEntry | null
}

export function findBundles(entries: readonly UploadEntry[]): Bundle[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  const withData = new Set(
    entries.flatMap(({ path }) => {
      const [, folder] = /^(?:(.*)\/)?Data\/(?:data|refs)\.0~[^/]*$/.exec(path) ?? []
      return /(?:^|\/)Data\/(?:data|refs)\.0~[^/]*$/.test(path) ? [folder ?? ''] : []
    }),
  )
  return entries.flatMap((entry): Bundle[] => {
    if (entry.path !== 'Info.plist' && !entry.path.endsWith('/Info.plist')) return []
    const folder = entry.path.slice(0, -'/Info.plist'.length)
    const database = byPath.get(folder === '' ? 'database.sqlite3' : `${folder}/database.sqlite3`) ?? null
    return database !== null || withData.has(folder) ? [{ folder, entry, database }] : []
  })
}
