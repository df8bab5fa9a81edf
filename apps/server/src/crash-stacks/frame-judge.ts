import { createFrameJudge, type PastedFrame } from '@fairlead/crashes'
import type { AppContext } from '../context.ts'
import { findApplicationOfCrashes } from './application-store.ts'
import { findFrameOwner } from './frame-owner.ts'

/** Returns a function that tells which frames of a pasted report are of the application. */
export async function openFrameJudge(
  { db }: Pick<AppContext, 'db'>,
  applicationId: number,
): Promise<(frame: PastedFrame) => boolean> {
  const application = await findApplicationOfCrashes(db, applicationId)
  return createFrameJudge(application ? await findFrameOwner(db, application) : { rules: [], identifiers: [] })
}
