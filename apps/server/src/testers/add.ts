import { type AddTesters, ApiError, type Fault, type Tester, TesterEmail } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import { findTestersByKey } from './store.ts'
import { toTester } from './tester.ts'

interface Address {
  email: string
  key: string
  name: string | null
}

/**
 * Adds testers to a group, creating those that are new to the workspace. An invalid address refuses the whole request.
 * Duplicates and existing testers count once.
 *
 * @throws {ApiError} invalidRequest
 */
export async function addTesters(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  groupId: number,
  { emails }: AddTesters,
): Promise<Tester[]> {
  const addresses = parseAddresses(emails)
  const keys = addresses.map((address) => address.key)
  await db.transaction().execute(async (trx) => {
    const created_at = Date.now()
    await trx
      .insertInto('testers')
      .values(
        addresses.map(({ email, key, name }) => ({
          workspace_id: workspaceId,
          email,
          email_key: key,
          name,
          created_at,
        })),
      )
      .onConflict((conflict) => conflict.columns(['workspace_id', 'email_key']).doNothing())
      .execute()
    await trx
      .insertInto('group_testers')
      .columns(['group_id', 'tester_id'])
      .expression((query) =>
        query
          .selectFrom('testers')
          .select((select) => [select.val(groupId).as('group_id'), 'testers.id as tester_id'])
          .where('workspace_id', '=', workspaceId)
          .where('email_key', 'in', keys),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  return (await findTestersByKey(db, workspaceId, keys)).map(toTester)
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
    const key = email.toLowerCase()
    const plainName = name.replaceAll('"', '').trim()
    if (!addresses.has(key)) addresses.set(key, { email, key, name: plainName === '' ? null : plainName })
  }
  if (faults.length > 0) throw new ApiError('invalidRequest', { faults })
  return [...addresses.values()]
}
