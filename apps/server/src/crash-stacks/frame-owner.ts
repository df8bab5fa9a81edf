import type { FrameOwner } from '@fairlead/crashes'
import type { Db } from '../db/open.ts'
import type { CrashesOwner } from './application-store.ts'
import { findRules } from './rules-store.ts'

/** Finds the rules and names by which a frame is found to be of the application or of a library. */
export async function findFrameOwner(db: Db, { id, identifiers, ownPackages }: CrashesOwner): Promise<FrameOwner> {
  return { rules: await findRules(db, id), identifiers, ownPackages }
}
