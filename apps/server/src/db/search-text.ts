/** The columns of a build that a search looks into. */
export interface SearchedColumns {
  short_version: string
  version: string
  name: string
  file_name: string
  source_branch: string | null
  source_commit: string | null
  release_notes: string | null
}

/** The most UTF-16 code units of one column that are searched, from its beginning. */
const columnLimit = 500
const notesLimit = 2000

/**
 * Returns the text that searches compare with. It is short, so that a search costs the same for every build, and
 * lower-cased here, because SQLite's `lower` folds ASCII only. Line feeds separate the columns.
 */
export function toSearchText(build: SearchedColumns): string {
  const { short_version, version, name, file_name, source_branch, source_commit, release_notes } = build
  const columns = [short_version, version, name, file_name, source_branch ?? '', source_commit ?? '']
  const parts = [...columns.map((text) => text.slice(0, columnLimit)), (release_notes ?? '').slice(0, notesLimit)]
  // A cut may leave half of a surrogate pair, which neither database can store.
  return parts.join('\n').toLowerCase().toWellFormed()
}
