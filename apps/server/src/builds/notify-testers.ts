import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { toPersonalUrl } from './personal-link.ts'
import { enqueueMails } from '../mails/enqueue.ts'
import { createBuildMail } from './build-mail.ts'
import type { BuildRecord } from './build.ts'
import { findTesterEmails, insertNotifications } from './distribution-store.ts'

/**
 * Puts one mail into the outbox for each tester of the groups who was not told of this build before, however many of
 * the groups they are in. So a distribution may be repeated, and reaches those who joined since.
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
