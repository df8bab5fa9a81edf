import { buildCommand } from '@stricli/core'
import { CliError } from '../../../cli-error.ts'
import type { CliContext } from '../../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, textArgument } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { requireApplication } from '../../../lookups/application.ts'
import { toShownLine } from '../../../output/shown-text.ts'
import { writeLine, writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'
import { requireTest } from '../../../test-runs/find-test.ts'
import { toTestName } from '../../../test-runs/run-output.ts'

interface Flags extends RemoteFlags {
  readonly app: string
}

export const command = buildCommand<Flags, [test: string], CliContext>({
  docs: { brief: 'End the quarantine of a test' },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Id or name of the test', 'test')] },
    flags: {
      app: requiredAppFlag,
      ...remoteFlags,
    },
  },
  func(flags, text) {
    return removeQuarantine(this.io, flags, text)
  },
})

async function removeQuarantine(io: Io, flags: Flags, text: string): Promise<void> {
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const test = await requireTest(client, application.id, text)
  const quarantines = await client.tests.listQuarantines(application.id)
  const ended = quarantines.filter(({ testId }) => testId === test.id)
  const name = toShownLine(toTestName(test))
  if (ended.length === 0) throw new CliError('notFound', `${name} is not quarantined`)
  for (const { id } of ended) await client.tests.endQuarantine(application.id, id)
  writeResult(io, flags.json, ended, () => writeLine(io, `Ended the quarantine of ${name}`))
}
