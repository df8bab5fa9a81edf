import { ApiError, type Build, releaseNotesLimit, type UpdateBuild } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { requireBuild, toBuild } from './build.ts'
import { updateBuildRow } from './store.ts'

/** Sets the release notes. Null, a missing field and an empty request body clear them. */
export async function updateBuild(
  context: Pick<AppContext, 'db' | 'config'>,
  workspaceId: number,
  buildId: number,
  input: UpdateBuild,
): Promise<Build> {
  const releaseNotes = input?.releaseNotes ?? null
  await requireBuild(context, workspaceId, buildId)
  if (releaseNotes !== null) checkNotes(releaseNotes)
  await updateBuildRow(context.db, workspaceId, buildId, { release_notes: releaseNotes })
  return toBuild(await requireBuild(context, workspaceId, buildId), context.config.baseUrl)
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
