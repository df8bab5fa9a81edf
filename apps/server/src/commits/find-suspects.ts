import type { SuspectCommit } from '@fairlead/contract'
import { parseJsonText } from '../db/json-text.ts'
import type { Db } from '../db/open.ts'
import type { Row } from '../db/schema.ts'
import { toInstant } from '../http/instant.ts'
import { listPathEnds, type SourceFrame } from './frame-path.ts'
import { matchFile } from './match-file.ts'
import { rankCommits, type RankedCommit, type Suspect, type SuspectedBuild } from './rank-commits.ts'
import { findBuildCommits } from './store.ts'
import { listCommitsAt, listFilesNamed, listKnownPaths, listOlderCommits, listSomeFiles } from './suspects-store.ts'

/** How many times a file that was renamed is looked for by the name before. */
const maxRenamings = 3

/** The frames beyond these are left out: at this distance, no commit reaches a score that counts. */
const maxFrames = 8

export interface FailingBuild {
  id: number
  /** How many builds it is before the first one that failed. */
  distance: number
  /** Frames of the app in a failure of this build, innermost first. */
  frames: readonly SourceFrame[]
}

interface FoundCommit extends RankedCommit {
  row: Row<'commits'>
}

/** Finds the commits of these builds, from the newest on, that may have caused a failure, most suspect first. */
export async function findSuspects(
  db: Db,
  applicationId: number,
  failing: readonly FailingBuild[],
): Promise<SuspectCommit[]> {
  const builds: SuspectedBuild<FoundCommit>[] = []
  const oldPaths = new Set<string>()
  for (const build of failing) {
    const frames = build.frames.slice(0, maxFrames)
    const commits = await listTouching(db, applicationId, build.id, frames, oldPaths)
    builds.push({ distance: build.distance, frames, commits })
  }
  return rankCommits(builds).map(toSuspect)
}

function toSuspect({ commit, score, reasons, paths }: Suspect<FoundCommit>, place: number): SuspectCommit {
  const { row } = commit
  return {
    rank: place + 1,
    score,
    commit: row.hash,
    date: toInstant(row.committed_at),
    buildId: row.build_id,
    reasons,
    untrusted: { paths, subject: row.subject, author: row.author_name },
  }
}

/**
 * Lists the commits of a build with the files that have the name of a frame's file or are in its folder.
 *
 * @param oldPaths what the files of the frames were called before newer commits; those of this build are added
 */
async function listTouching(
  db: Db,
  applicationId: number,
  buildId: number,
  frames: readonly SourceFrame[],
  oldPaths: Set<string>,
): Promise<FoundCommit[]> {
  const ends = frames.map(listPathEnds)
  const named = await listNamed(db, buildId, frames, oldPaths)
  const isNear = ({ path }: Row<'commit_files'>) => ends.some((own) => matchFile(own, path)?.code === 'directory')
  const near = named.length === 0 && ends.length > 0 ? (await listSomeFiles(db, buildId)).filter(isNear) : []
  const filesOf = Map.groupBy([...named, ...near], ({ place }) => place)
  const rows = await listCommitsAt(db, buildId, [...filesOf.keys()])
  const old = await listOld(db, applicationId, buildId, rows)
  return rows
    .filter(({ hash }) => !old.has(hash))
    .map((row) => ({
      row,
      hash: row.hash,
      buildId,
      fileCount: row.file_count,
      files: (filesOf.get(row.place) ?? []).map((file) => ({
        path: file.path,
        previousPath: file.previous_path,
        status: file.status,
        hunks: file.hunks === null ? null : parseJsonText(file.hunks),
      })),
    }))
}

/** Lists the files that have the name of a frame's file, or had it before they got that name. */
async function listNamed(db: Db, buildId: number, frames: readonly SourceFrame[], oldPaths: Set<string>) {
  const ends = frames.map(listPathEnds)
  const isOfFrame = (path: string) => oldPaths.has(path) || ends.some((own) => matchFile(own, path)?.code === 'file')
  const asked = new Set<string>()
  const found = new Map<string, Row<'commit_files'>>()
  let names = [...listFileNames(frames), ...[...oldPaths].map(toFileName)]
  for (let round = 0; round <= maxRenamings && names.length > 0; round++) {
    for (const name of names) asked.add(name)
    const rows = await listFilesNamed(db, buildId, names)
    for (const row of rows) found.set(`${row.place} ${row.number}`, row)
    const renamed = rows.filter(({ status, path }) => status === 'R' && isOfFrame(path))
    for (const { previous_path: before } of renamed) if (before !== null) oldPaths.add(before)
    names = [...new Set([...oldPaths].map(toFileName))].filter((name) => !asked.has(name))
  }
  return [...found.values()]
}

function toFileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The last commits of a branch, which are sent where the base is unknown, may be in older builds as well. */
async function listOld(
  db: Db,
  applicationId: number,
  buildId: number,
  rows: readonly Row<'commits'>[],
): Promise<Set<string>> {
  const list = await findBuildCommits(db, buildId)
  if (list?.is_complete === 1) return new Set()
  return listOlderCommits(
    db,
    applicationId,
    buildId,
    rows.map(({ hash }) => hash),
  )
}

function listFileNames(frames: readonly SourceFrame[]): string[] {
  const names = frames.flatMap((frame) => listPathEnds(frame).flatMap((end) => end.at(-1) ?? []))
  return [...new Set(names)]
}

/** The path of a frame's file in the repository, by the newest commits up to a build; null if they do not hold it. */
export async function findRepositoryPath(
  db: Db,
  applicationId: number,
  frame: SourceFrame,
  lastBuildId: number | null,
): Promise<string | null> {
  const ends = listPathEnds(frame)
  const known = await listKnownPaths(db, applicationId, lastBuildId, listFileNames([frame]))
  const matches = known.flatMap(({ path }) => {
    const match = matchFile(ends, path)
    return match?.code === 'file' ? [{ path, names: match.names }] : []
  })
  const most = Math.max(0, ...matches.map(({ names }) => names))
  const paths = new Set(matches.filter(({ names }) => names === most).map(({ path }) => path))
  const [newest] = paths
  // A name alone says nothing where several files have it.
  return newest !== undefined && (most > 1 || paths.size === 1) ? newest : null
}
