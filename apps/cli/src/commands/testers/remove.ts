import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textArgument, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireGroup } from '../../lookups/groups.ts'
import { requireTester } from '../../lookups/tester.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly group?: string
}

export const command = buildCommand<Flags, [email: string], CliContext>({
  docs: { brief: 'Remove a tester from a group, or from the workspace' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Address of the tester', 'email')] },
    flags: { group: textFlag('Only out of this group', 'name'), ...remoteFlags },
  },
  func(flags, email) {
    return removeTester(this.io, flags, email)
  },
})

async function removeTester(io: Io, flags: Flags, email: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const call = { signal: io.signal }
  const group = flags.group === undefined ? undefined : await requireGroup(io, client, flags.group)
  const testers = group && (await client.groups.listTesters(group.id, call))
  const tester = await requireTester(client, email, io.signal, testers)
  if (group) await client.groups.removeTester(group.id, tester.id, call)
  else await client.testers.remove(tester.id, call)
  writeResult(io, flags.json, { id: tester.id, email: tester.email, group: group?.name ?? null }, () =>
    writeLine(io, `Took ${toShownLine(tester.email)} out of ${group ? toShownLine(group.name) : 'the workspace'}`),
  )
}
