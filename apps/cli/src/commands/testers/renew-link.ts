import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, switchFlag, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireTester } from '../../lookups/tester.ts'
import { confirmLoss } from '../../output/confirm.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly yes: boolean
}

export const command = buildCommand<Flags, [email: string], CliContext>({
  docs: { brief: "Give a tester's page a new address; the old one ends" },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Address of the tester', 'email')] },
    flags: { yes: switchFlag('Do not ask'), ...remoteFlags },
  },
  func(flags, email) {
    return renewLink(this.io, flags, email)
  },
})

async function renewLink(io: Io, flags: Flags, email: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const { id } = await requireTester(client, email, io.signal)
  await confirmLoss(io, flags.yes, `End the address of the page of ${toShownLine(email)}?`)
  const tester = await client.testers.renewLink(id, { signal: io.signal })
  writeResult(io, flags.json, tester, () => writeLine(io, toShownLine(tester.pageUrl ?? '')))
}
