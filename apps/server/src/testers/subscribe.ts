import { ApiError } from '@fairlead/contract'
import { recordByTester } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { isForeignKeyViolation } from '../db/foreign-key.ts'
import type { Subscription } from '../tester-links/unsubscribe-link.ts'
import { deleteUnsubscribe, findSubscription, insertUnsubscribe } from './subscription-store.ts'

/** Whether an address gets mails to testers of a workspace. */
export interface SubscriptionState {
  workspaceName: string
  isSubscribed: boolean
}

/** @throws {ApiError} unsubscribeLinkNotFound when the workspace was deleted */
export async function readSubscription(
  { db }: Pick<AppContext, 'db'>,
  subscription: Subscription,
): Promise<SubscriptionState> {
  const found = await findSubscription(db, subscription)
  if (!found) throw new ApiError('unsubscribeLinkNotFound')
  return { workspaceName: found.workspace_name, isSubscribed: found.unsubscribed_at === null }
}

/**
 * Turns the mails of a workspace to one of its testers on or off. Only the tester does this, by a link of a mail or on
 * the own page. Repeating it changes nothing.
 *
 * @param address where the request came from, for the audit log
 * @throws {ApiError} unsubscribeLinkNotFound when the workspace was deleted
 */
export async function changeSubscription(
  context: Pick<AppContext, 'db' | 'log'>,
  subscription: Subscription,
  { isSubscribed, address }: { isSubscribed: boolean; address: string },
): Promise<void> {
  const { workspaceId, emailKey } = subscription
  const change = isSubscribed ? deleteUnsubscribe : insertUnsubscribe
  const isChanged = await change(context.db, subscription).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? new ApiError('unsubscribeLinkNotFound', { cause: error }) : error
  })
  if (!isChanged) return
  const action = isSubscribed ? 'tester.subscribe' : 'tester.unsubscribe'
  await recordByTester(context, { workspaceId, email: emailKey }, { action, address, target: '/unsubscribe' })
}
