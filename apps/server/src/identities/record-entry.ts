import { recordByServer, recordOfAccount } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import type { Entry } from './enter.ts'

/** Writes what a sign-in through a provider did to the audit logs of the workspaces that it concerns. */
export async function recordEntry(
  context: Pick<AppContext, 'db' | 'log'>,
  { account, identity, news, changes, joined, hasNewEmail }: Entry,
  { address, target }: { address: string; target: string },
): Promise<void> {
  const { provider } = identity
  const { email } = account
  for (const { workspaceId, role } of joined) {
    await recordByServer(context, workspaceId, 'member.join', { target, details: { email, role, provider } })
  }
  for (const { workspaceId, before, after } of changes) {
    const action = before === null ? 'member.join' : after === null ? 'member.remove' : 'member.update'
    const details = { email, role: after ?? before, provider }
    await recordByServer(context, workspaceId, action, { target, details })
  }
  if (news === 'linked') await recordOfAccount(context, account, toEvent('identity.link', { provider }))
  if (hasNewEmail) await recordOfAccount(context, account, toEvent('account.update', { provider, email }))
  await recordOfAccount(context, account, toEvent('session.start', { provider }))

  function toEvent(action: string, details: Record<string, string>) {
    return { action, address, target, details }
  }
}
