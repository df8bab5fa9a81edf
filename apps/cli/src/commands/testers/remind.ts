import { buildCommand } from '@stricli/core'
import type { Reminded } from '@fairlead/client'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { idArgument, listFlag, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireTester } from '../../lookups/tester.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly state?: readonly string[]
  readonly tester?: readonly string[]
}

const states = ['none', 'told', 'opened'] as const

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Remind testers of a build by mail, those who were told or opened it unless said otherwise' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the build')] },
    flags: {
      state: listFlag('Only testers in this state: none, told or opened', 'state'),
      tester: listFlag('Only the tester with this address', 'email'),
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return remind(this.io, flags, id)
  },
})

async function remind(io: Io, flags: Flags, id: number): Promise<void> {
  const chosen = (flags.state ?? ['told', 'opened']).map(parseState)
  const { client } = await openSession(io, flags)
  const testerIds: number[] = []
  for (const email of flags.tester ?? []) testerIds.push((await requireTester(client, email, io.signal)).id)
  const body = { states: chosen, ...(testerIds.length > 0 && { testerIds }) }
  const reminded = await client.builds.remindTesters(id, body, { signal: io.signal })
  writeResult(io, flags.json, reminded, () => writeLine(io, describe(reminded)))
}

function parseState(text: string): (typeof states)[number] {
  const state = states.find((one) => one === text)
  if (!state) throw new CliError('usage', `${JSON.stringify(text)} is none of ${states.join(', ')}`)
  return state
}

function describe({ count, skipped }: Reminded): string {
  const left = [
    [skipped.unsubscribed, 'unsubscribed'],
    [skipped.recent, 'reminded in the last 24 hours'],
    [skipped.exhausted, 'reminded three times'],
  ].flatMap(([number, why]) => (number === 0 ? [] : [`${number} ${why}`]))
  const says = count === 1 ? 'Reminded 1 tester' : `Reminded ${count} testers`
  return left.length === 0 ? says : `${says}; left out: ${left.join(', ')}`
}
