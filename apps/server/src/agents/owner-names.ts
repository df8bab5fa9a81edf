import type { FileOwners } from '@fairlead/contract'
import { isMemberEmail } from '../members/find.ts'
import { isTesterEmail } from '../testers/find.ts'
import type { AppContext } from '../context.ts'

/**
 * Leaves out owners that CODEOWNERS names by the e-mail address of a member or a tester, since no answer holds those.
 * Names of teams and of people on the code host stay.
 */
export async function withoutMembers(
  { db }: Pick<AppContext, 'db'>,
  workspaceId: number,
  files: FileOwners[],
): Promise<FileOwners[]> {
  const known: FileOwners[] = []
  for (const { untrusted } of files) {
    const owners: string[] = []
    for (const owner of untrusted.owners) {
      const isPerson =
        /[^@]@[^@]/.test(owner) &&
        ((await isMemberEmail(db, workspaceId, owner)) || (await isTesterEmail(db, workspaceId, owner)))
      if (!isPerson) owners.push(owner)
    }
    known.push({ untrusted: { ...untrusted, owners } })
  }
  return known
}
