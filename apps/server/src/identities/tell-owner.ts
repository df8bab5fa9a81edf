import type { AppContext } from '../context.ts'
import type { Provider } from '../oidc/open-providers.ts'
import { enqueueMails } from '../mails/enqueue.ts'
import type { Entry } from './enter.ts'
import { createIdentityMail } from './identity-mails.ts'

/** Mails the owner of an account when it was made, or when an identity was linked to it. Call it in the transaction. */
export async function tellOwner(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  { name }: Pick<Provider, 'name'>,
  { account, news }: Entry,
): Promise<void> {
  if (news === null) return
  await enqueueMails({ db, config }, null, [createIdentityMail(news, account, name, config.baseUrl)])
}
