import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import { listSome } from './application.ts'

export type Group = Awaited<ReturnType<Client['groups']['list']>>[number]

/** Finds groups by name or id. Throws `notFound` with all that do not exist. */
export async function requireGroups(
  { signal }: Pick<Io, 'signal'>,
  client: Client,
  names: readonly string[],
): Promise<Group[]> {
  if (names.length === 0) return []
  const groups = await client.groups.list({ signal })
  const unknown = names.filter((name) => !findGroup(groups, name))
  if (unknown.length > 0) {
    const shown = unknown.map((name) => `"${name}"`).join(', ')
    throw new CliError('notFound', `No distribution group is called ${shown}`, {
      fix:
        groups.length === 0
          ? 'Make one: fairlead groups create NAME'
          : `The workspace has: ${listSome(groups.map(({ name }) => name))}.`,
    })
  }
  return names.flatMap((name) => findGroup(groups, name) ?? [])
}

export async function requireGroup(io: Io, client: Client, name: string): Promise<Group> {
  const [group] = await requireGroups(io, client, [name])
  if (!group) throw new CliError('notFound', `No distribution group is called "${name}"`)
  return group
}

/** Compares names case-insensitively, as the server does. */
function findGroup(groups: readonly Group[], name: string): Group | undefined {
  return groups.find((group) => group.name.toLowerCase() === name.trim().toLowerCase())
}
