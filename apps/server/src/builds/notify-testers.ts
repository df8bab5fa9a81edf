import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { toPersonalUrl } from './personal-link.ts'
import { enqueueMails } from '../mails/enqueue.ts'
import { createBuildMail } from './build-mail.ts'
import type { BuildRecord } from './build.ts'
import { findTesterEmails, insertNotifications } from './distribution-store.ts'

/**
 * Queues one mail for each tester of the groups who has not been told about this build, however many of the groups they
 * belong to. Repeating a distribution therefore reaches only testers who joined since.
 */
export async function notifyTesters(
  context: Pick<AppContext, 'config' | 'signingKey'> & { db: Db },
  build: BuildRecord,
  groupIds: number[],
): Promise<void> {
  const { db, config, signingKey } = context
  const told = await insertNotifications(db, build, groupIds)
  if (told.length === 0) return
  const emails = await findTesterEmails(db, told)
  const toMail = createBuildMail(build, config.baseUrl)
  const mails = told.flatMap((testerId) => {
    const email = emails.get(testerId)
    return email === undefined ? [] : [toMail(email, toPersonalUrl(build, testerId, config.baseUrl, signingKey))]
  })
  await enqueueMails(context, build.workspace_id, mails)
}
