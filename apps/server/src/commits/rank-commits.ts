/**
 * Ranks commits by how well the files that they touched fit the frames of a failure.
 *
 * The score of a commit is that of its best pair of frame and file: 1 if a hunk holds the line, 0.8 for the same file
 * (0.6 if its hunks are known and lie elsewhere), 0.3 for a file of that name, 0.15 for a file of the same folder. It
 * is less for each frame further out, for each build before the first one that failed, for commits that touch many
 * files, and where several files fit a frame equally well. A suspicion is of use only with its reasons, so these are
 * kept.
 */
import { requireAt } from '@fairlead/invariant'
import type { SuspectCommit } from '@fairlead/contract'
import { listCurrentPaths } from './current-paths.ts'
import { listPathEnds, type PathEnd, type SourceFrame } from './frame-path.ts'
import { type FileMatch, matchFile } from './match-file.ts'
import type { TouchedFile } from './touched-file.ts'

type Reason = SuspectCommit['reasons'][number]

export interface RankedCommit {
  hash: string
  buildId: number
  /** Counts all files of the commit. */
  fileCount: number
  /** Those that may fit a frame. */
  files: readonly TouchedFile[]
}

/** The commits that came with a build, and the frames of a failure in this build, whose lines are those of its code. */
export interface SuspectedBuild<Commit extends RankedCommit> {
  /** How many builds it is before the first one that failed. */
  distance: number
  /** Innermost first; those of the app alone. */
  frames: readonly SourceFrame[]
  /** Newest first. */
  commits: readonly Commit[]
}

export interface Suspect<Commit extends RankedCommit> {
  commit: Commit
  score: number
  reasons: Reason[]
  paths: string[]
}

const weights = { line: 1, file: 0.8, otherLines: 0.6, fileName: 0.3, directory: 0.15 } as const
const frameFactor = 0.6
const buildFactor = 0.5
/** A hunk holds a line that is this near to it. */
const lineTolerance = 3
const lowestScore = 0.05
const maxSuspects = 5
const maxReasons = 3
const maxPaths = 5

/** Ranks the commits of builds, which are in order from the newest. */
export function rankCommits<Commit extends RankedCommit>(builds: readonly SuspectedBuild<Commit>[]): Suspect<Commit>[] {
  const suspects: Suspect<Commit>[] = []
  const current = listCurrentPaths(builds)
  const best = findBestMatches(builds, current)
  const newer = new Map<string, Shift[]>()
  const seen = new Set<string>()
  for (const { distance, frames, commits } of builds) {
    const ends = frames.map(listPathEnds)
    for (const commit of commits) {
      const pairs = seen.has(commit.hash) ? [] : listPairs(commit, frames, ends, { current, best, newer, distance })
      seen.add(commit.hash)
      for (const file of commit.files) {
        const path = current.get(file) ?? file.path
        newer.set(path, [toShift(file), ...(newer.get(path) ?? [])].slice(0, maxShifts))
      }
      const [first] = pairs
      if (!first || first.score < lowestScore) continue
      suspects.push({
        commit,
        score: Math.round(first.score * 1000) / 1000,
        reasons: pairs.slice(0, maxReasons).map(({ reason }) => reason),
        paths: [...new Set(pairs.map(({ path }) => path))].slice(0, maxPaths),
      })
    }
  }
  // The sort is stable, so that of equal scores the newer commit comes first.
  return suspects.toSorted((one, other) => other.score - one.score).slice(0, maxSuspects)
}

type CurrentPaths = ReadonlyMap<TouchedFile, string>

interface BestMatch {
  code: FileMatch['code']
  names: number
  /** The files that fit equally well. */
  paths: Set<string>
}

/** By the place of a frame, the best match of any file. A file that fits less well is not the one of the frame. */
function findBestMatches(
  builds: readonly SuspectedBuild<RankedCommit>[],
  current: CurrentPaths,
): Map<string, BestMatch> {
  const best = new Map<string, BestMatch>()
  for (const { frames, commits } of builds) {
    for (const frame of frames) {
      const ends = listPathEnds(frame)
      if (ends.length === 0) continue
      const key = toKey(ends)
      const known: BestMatch = best.get(key) ?? { code: 'directory', names: 0, paths: new Set() }
      for (const file of commits.flatMap((commit) => commit.files)) {
        const path = current.get(file) ?? file.path
        const match = matchTouched(ends, file, path)
        if (!match || match.code === 'directory') continue
        const isBetter = match.code === known.code ? match.names > known.names : known.code !== 'file'
        if (isBetter) Object.assign(known, { code: match.code, names: match.names, paths: new Set() })
        if (match.code === known.code && match.names === known.names) known.paths.add(path)
      }
      best.set(key, known)
    }
  }
  return best
}

function toKey(ends: readonly PathEnd[]): string {
  return JSON.stringify(ends[0])
}

/**
 * A file matches by the path that it has in the build, and in the commit that renamed it also by the one before. A
 * deleted one is not in the build.
 */
function matchTouched(ends: readonly PathEnd[], file: TouchedFile, path: string): FileMatch | undefined {
  if (file.status === 'D') return undefined
  const own = matchFile(ends, path)
  if (file.previousPath === null || own?.code === 'file') return own
  const before = matchFile(ends, file.previousPath)
  return before && before.code !== 'directory' ? before : own
}

interface Pair {
  score: number
  reason: Reason
  path: string
}

interface Surroundings {
  current: CurrentPaths
  best: ReadonlyMap<string, BestMatch>
  /** How newer commits have moved the lines of each file, the oldest of them first. */
  newer: ReadonlyMap<string, readonly Shift[]>
  distance: number
}

/** The pairs of frame and file of a commit, best first, with at most one for each frame. */
function listPairs(
  commit: RankedCommit,
  frames: readonly SourceFrame[],
  ends: readonly (readonly PathEnd[])[],
  { current, best, newer, distance }: Surroundings,
): Pair[] {
  const spread = 1 + Math.log10(Math.max(1, commit.fileCount))
  const pairs = frames.flatMap((frame, place): Pair[] => {
    const own = ends[place] ?? []
    if (own.length === 0) return []
    const known = best.get(toKey(own))
    let found: { weight: number; code: Reason['code']; path: string } | undefined
    for (const file of commit.files) {
      const path = current.get(file) ?? file.path
      const judged = judgeFile(matchTouched(own, file, path), file, frame.line, known, newer.get(path) ?? [])
      if (judged && (!found || judged.weight > found.weight)) found = { ...judged, path: file.path }
    }
    if (!found) return []
    const score = (found.weight * frameFactor ** place * buildFactor ** distance) / spread
    return [{ score, reason: { code: found.code, frame: frame.index, line: frame.line }, path: found.path }]
  })
  return pairs.toSorted((one, other) => other.score - one.score)
}

function judgeFile(
  match: FileMatch | undefined,
  { hunks }: TouchedFile,
  line: number | null,
  best: BestMatch | undefined,
  newer: readonly Shift[],
): { weight: number; code: Reason['code'] } | undefined {
  if (!match) return undefined
  if (match.code === 'directory') return { weight: weights.directory, code: 'directory' }
  if (!best || match.code !== best.code || match.names !== best.names) return undefined
  const share = Math.max(1, best.paths.size)
  if (match.code === 'fileName') return { weight: weights.fileName / share, code: 'fileName' }
  if (hunks === null || line === null) return { weight: weights.file / share, code: 'file' }
  const isHeld = hunks.some((hunk) => holdsLine(hunk, line, newer))
  return isHeld ? { weight: weights.line / share, code: 'line' } : { weight: weights.otherLines / share, code: 'file' }
}

/** The most lines that a commit may have added above a line. */
type Shift = (line: number) => number

/** How many newer commits of a file are taken into account. */
const maxShifts = 10

function toShift({ hunks }: TouchedFile): Shift {
  const sorted = (hunks ?? []).toSorted(([one], [other]) => one - other)
  const sums: number[] = []
  for (const [, added] of sorted) sums.push((sums.at(-1) ?? 0) + added)
  return (line) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (requireAt(sorted, middle)[0] <= line) low = middle + 1
      else high = middle
    }
    return sums[low - 1] ?? 0
  }
}

/**
 * Whether a hunk holds a line of the built code. Newer commits may have moved the hunk down by the lines that they
 * added above it. How many they removed is not known, so each place between is possible.
 */
function holdsLine(
  [first, count]: readonly [firstLine: number, lineCount: number],
  line: number,
  newer: readonly Shift[],
): boolean {
  if (line < first - lineTolerance) return false
  let last = first + Math.max(count, 1) - 1
  for (const shift of newer) last += shift(last)
  return line <= last + lineTolerance
}
