import { ApiError } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import type { ApplicationRow } from './application.ts'
import { markStacksOfApplications } from './stale-stacks-store.ts'
import { findApplication, updateApplicationRow } from './store.ts'

/**
 * Links an application with the same app on the other platform, in both directions, or ends the link. Symbols count for
 * both then, so all their stacks are read again.
 *
 * @throws {ApiError} invalidRequest
 */
export async function linkApplications(db: Db, application: ApplicationRow, linkedId: number | null): Promise<void> {
  const { id, workspace_id: workspaceId } = application
  const other = linkedId === null ? undefined : await findApplication(db, workspaceId, linkedId)
  if (linkedId === id) refuse('is the application itself')
  if (linkedId !== null && !other) refuse('is no application of the workspace')
  if (other?.platform === application.platform) refuse('is an application of the same platform')
  const before = [application.linked_application_id, other?.linked_application_id ?? null]
  const left = before.filter((one) => one !== null && one !== id && one !== linkedId)
  await db.transaction().execute(async (trx) => {
    for (const one of left) {
      if (one !== null) await updateApplicationRow(trx, workspaceId, one, { linked_application_id: null })
    }
    await updateApplicationRow(trx, workspaceId, id, { linked_application_id: linkedId })
    if (linkedId !== null) await updateApplicationRow(trx, workspaceId, linkedId, { linked_application_id: id })
    await markStacksOfApplications(
      trx,
      [id, linkedId, ...left].filter((one) => one !== null),
    )
  })
}

function refuse(detail: string): never {
  throw new ApiError('invalidRequest', { faults: [{ source: '/linkedApplicationId', detail }] })
}
