import { countCommonEnd, type PathEnd } from './frame-path.ts'
import { splitPath } from '../commit-lists/reversed-path.ts'

/** How well the end of a frame's path fits a file of the repository. */
export interface FileMatch {
  code: 'file' | 'fileName' | 'directory'
  /** How many names are equal, counted from the end. */
  names: number
}

/** Two names are a good match, because Kotlin projects may leave out the folders of their common package. */
const goodMatch = 2

/** Compares a frame with a file. Only the end of the frame's path can be trusted. */
export function matchFile(ends: readonly PathEnd[], path: string): FileMatch | undefined {
  const names = splitPath(path)
  let best: FileMatch | undefined
  for (const end of ends) {
    const match = matchEnd(end, names)
    if (match && (!best || rankOf(match) > rankOf(best))) best = match
  }
  return best
}

const order = { directory: 0, fileName: 1, file: 2 } as const

function rankOf({ code, names }: FileMatch): number {
  return order[code] * 1000 + names
}

function matchEnd(end: PathEnd, path: PathEnd): FileMatch | undefined {
  const names = countCommonEnd(end, path)
  // Compilers that run in the folder of a file know its name alone, and nothing contradicts that it is the same file.
  if (names >= goodMatch || (names > 0 && names === end.length)) return { code: 'file', names }
  if (names > 0) return { code: 'fileName', names }
  const [folders, folderNames] = [end.slice(0, -1), path.slice(0, -1)]
  const common = countCommonEnd(folders, folderNames)
  const isSame = common >= goodMatch || (common > 0 && common === folders.length && common === folderNames.length)
  return isSame ? { code: 'directory', names: common } : undefined
}
