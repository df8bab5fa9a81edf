import type { AppContext } from '../context.ts'
import { readFeedbackRule } from './store.ts'

/** Says whether a workspace takes feedback by a link: by any, by personal ones only, or by none. */
export async function takesFeedback(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  isPersonal: boolean,
): Promise<boolean> {
  const rule = await readFeedbackRule(db, workspaceId)
  return rule === 'everyone' || (rule === 'testers' && isPersonal)
}
