import { ApiError, type Build, releaseNotesLimit, type UpdateBuild } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { type BuildRecord, toBuild } from './build.ts'
import { updateReleaseNotes } from './write-store.ts'

/**
 * Sets the release notes. Null, a missing field and an empty request body clear them.
 *
 * @throws {ApiError} buildNotFound, invalidRequest
 */
export async function updateBuild(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  build: BuildRecord,
  input: UpdateBuild,
): Promise<Build> {
  const releaseNotes = input?.releaseNotes ?? null
  if (releaseNotes !== null) checkNotes(releaseNotes)
  const isUpdated = await transact(db, (trx) => updateReleaseNotes(trx, build.workspace_id, build.id, releaseNotes))
  if (!isUpdated) throw new ApiError('buildNotFound')
  return toBuild({ ...build, release_notes: releaseNotes }, config.baseUrl)
}

function checkNotes(notes: string): void {
  const source = '/releaseNotes'
  if (Buffer.byteLength(notes) > releaseNotesLimit) {
    throw new ApiError('invalidRequest', { faults: [{ source, detail: `is over ${releaseNotesLimit} bytes` }] })
  }
  // PostgreSQL text cannot contain U+0000.
  if (notes.includes('\0')) {
    throw new ApiError('invalidRequest', { faults: [{ source, detail: 'must not contain the character NUL' }] })
  }
}
