/** A file of a commit, as CI sent it. */
export interface TouchedFile {
  path: string
  previousPath: string | null
  status: 'A' | 'M' | 'D' | 'R' | 'C' | 'T'
  /** Null if they are not known. */
  hunks: readonly (readonly [firstLine: number, lineCount: number])[] | null
}
