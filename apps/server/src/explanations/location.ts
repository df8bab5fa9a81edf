import type { CrashExplanation, FileOwners } from '@fairlead/contract'
import { findRepositoryPath } from '../commits/find-suspects.ts'
import { isForeignFile, listPathEnds, type SourceFrame } from '../commits/frame-path.ts'
import type { Db } from '../db/open.ts'
import { findOwnersOfFile } from '../test-history/owners.ts'

type Location = NonNullable<CrashExplanation['location']>

/**
 * The innermost of these frames that has a line, with its path in the repository if commits hold it. Code of libraries
 * that is part of the app counts only if there is no other.
 */
export async function findLocation(
  db: Db,
  applicationId: number,
  frames: readonly SourceFrame[],
  buildId: number | null,
): Promise<Location | null> {
  const placed = frames.filter(({ line }) => line !== null)
  const frame = placed.find((one) => !isForeignFile(one)) ?? placed[0]
  if (!frame || frame.line === null) return null
  const path = await findRepositoryPath(db, applicationId, frame, buildId)
  const file = path ?? frame.file
  return {
    frame: frame.index,
    line: frame.line,
    untrusted: { file: file?.split(/[\\/]/).at(-1) ?? null, function: frame.function, path },
  }
}

/** The owners of a path of the repository, or of the file that a frame names where no commit holds it. */
export async function findOwners(
  db: Db,
  applicationId: number,
  path: string | null,
  frame: SourceFrame | undefined,
): Promise<FileOwners[]> {
  const end = frame === undefined ? undefined : listPathEnds(frame)[0]?.join('/')
  const known = path ?? end
  if (known === undefined) return []
  // Where a path begins is not known without the repository, as with a path of the machine that ran a test.
  const owners = await findOwnersOfFile(db, applicationId, path ?? `/${known}`)
  return owners.length === 0 ? [] : [{ untrusted: { path: known, owners } }]
}
