import { type AddTesters, ApiError, type Fault, TesterEmail } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { toEmailKey } from '../db/email-key.ts'
import { requireGroup } from '../distribution-groups/find.ts'
import { findTestersByKey, insertGroupTesters, insertTesters } from './store.ts'
import { createLinkSalt } from './renew-link.ts'
import type { TesterRecord } from './tester.ts'
import { transact } from '../db/transact.ts'

interface Address {
  email: string
  key: string
  name: string | null
}

/**
 * Adds testers to a group, creating those that are new to the workspace. An invalid address refuses the whole request.
 * Duplicates and existing testers count once. Who unsubscribed stays so.
 *
 * @throws {ApiError} invalidRequest, distributionGroupNotFound
 */
export async function addTesters(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  groupId: number,
  { emails }: AddTesters,
): Promise<TesterRecord[]> {
  const addresses = parseAddresses(emails)
  const keys = addresses.map((address) => address.key)
  await transact(db, async (trx) => {
    await requireGroup({ db: trx }, workspaceId, groupId)
    const created_at = Date.now()
    await insertTesters(
      trx,
      addresses.map(({ email, key, name }) => {
        return { workspace_id: workspaceId, email, email_key: key, name, link_salt: createLinkSalt(), created_at }
      }),
    )
    await insertGroupTesters(trx, workspaceId, groupId, keys)
  })
  return findTestersByKey(db, workspaceId, keys)
}

/** Parses `a@b.c` or `Name <a@b.c>` entries and drops duplicates. */
function parseAddresses(entries: string[]): Address[] {
  const addresses = new Map<string, Address>()
  const faults: Fault[] = []
  for (const [index, entry] of entries.entries()) {
    const [, name = '', bracketed] = /^([^<>]*)<([^<>]*)>\s*$/.exec(entry) ?? []
    const parsed = TesterEmail.safeParse((bracketed ?? entry).trim())
    if (!parsed.success) {
      faults.push({ source: `/emails/${index}`, detail: `${JSON.stringify(entry)} is not an e-mail address` })
      continue
    }
    const email = parsed.data
    const key = toEmailKey(email)
    const plainName = name.replaceAll('"', '').trim()
    if (!addresses.has(key)) addresses.set(key, { email, key, name: plainName === '' ? null : plainName })
  }
  if (faults.length > 0) throw new ApiError('invalidRequest', { faults })
  return [...addresses.values()]
}
