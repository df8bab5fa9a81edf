import type { FrameOwner } from '@fairlead/crashes'
import type { Db } from '../db/open.ts'
import type { CrashesOwner } from './application-store.ts'
import { findRules } from './rules-store.ts'

/** What tells the frames of an application from those of libraries. */
export async function findFrameOwner(db: Db, { id, identifiers }: CrashesOwner): Promise<FrameOwner> {
  return { rules: await findRules(db, id), identifiers }
}
