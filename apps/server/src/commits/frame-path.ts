/**
 * Tells which file of a repository a frame may be in. A frame knows only the end of the path, in words that depend on
 * the language: a class with its package, a path on the machine that built the app, a module of a bundler.
 */
import { splitPath } from '../commit-lists/reversed-path.ts'

export interface SourceFrame {
  /** Its place among the frames that are shown. */
  index: number
  function: string | null
  className: string | null
  file: string | null
  line: number | null
}

/** The names of a path from its beginning, of which only the last ones are certain. */
export type PathEnd = readonly string[]

/** Longer paths than files have. */
const maxNames = 60
/** Folders of dependencies and of products of a build, which are in nobody's repository. */
const foreignFolders = new Set(['DerivedData', 'Pods', 'SourcePackages', 'node_modules', '.build', '.pub-cache'])

/** Headers and sources of the system, of compilers and of the standard library, whose code is inlined into the app. */
const foreignFile = /^<|^\/(?:usr|opt)\/|\/Xcode[^/]*\.app\/|^\/rustc\/|\/c\+\+\/v?\d|\/swift\/stdlib\//

/** Whether a frame's file is in nobody's repository, although the code is part of the app. */
export function isForeignFile({ className, file }: Pick<SourceFrame, 'className' | 'file'>): boolean {
  if (className !== null || file === null) return false
  return foreignFile.test(file) || splitPath(file).some((name) => foreignFolders.has(name))
}

/** Lists the ends of paths that a frame may stand for; none if its file is unknown or belongs to a dependency. */
export function listPathEnds({ className, file }: Pick<SourceFrame, 'className' | 'file'>): PathEnd[] {
  if (className !== null) return listOfClass(className, file)
  if (file === null || isForeignFile({ className, file })) return []
  const names = normalize(file)
  return names.length === 0 || names.length > maxNames ? [] : [names]
}

/** A file is named after its outermost class, except in Kotlin, where any name is possible and symbols may tell it. */
function listOfClass(className: string, file: string | null): PathEnd[] {
  const parts = className.split('.')
  const simple = parts.pop() ?? ''
  const inner = simple.indexOf('$', 1)
  const outer = inner === -1 ? simple : simple.slice(0, inner)
  if (outer === '' || parts.length > maxNames) return []
  const named = file !== null && /^[^/\\]+\.\w{1,10}$/.test(file) ? [file] : []
  const facade = outer.length > 2 && outer.endsWith('Kt') ? [`${outer.slice(0, -2)}.kt`] : []
  const names = new Set([...named, ...facade, `${outer}.kt`, `${outer}.java`])
  return [...names].map((name) => [...parts, name])
}

function normalize(file: string): string[] {
  const dart = /^package:[^/]+\/(.+)$/.exec(file)?.[1]
  const plain = file.replace(/^webpack(?:-internal)?:\/\/[^/]*\//, '').replace(/^(?:https?|app|file):\/\/[^/]*\//, '')
  const names: string[] = []
  for (const name of splitPath(dart === undefined ? plain.replace(/[?#].*$/, '') : `lib/${dart}`)) {
    if (name === '..') names.pop()
    else names.push(name)
  }
  return names
}

/** How many names two paths have in common, counted from their ends. */
export function countCommonEnd(one: PathEnd, other: PathEnd): number {
  const most = Math.min(one.length, other.length)
  for (let count = 0; count < most; count++) {
    if (one[one.length - 1 - count] !== other[other.length - 1 - count]) return count
  }
  return most
}
