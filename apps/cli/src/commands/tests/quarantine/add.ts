import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, textArgument, textFlag } from '../../../flags.ts'
import type { Io } from '../../../io.ts'
import { requireApplication } from '../../../lookups/application.ts'
import { parseDate } from '../../../lookups/parse-date.ts'
import { toShownLine } from '../../../output/shown-text.ts'
import { formatInstant } from '../../../output/units.ts'
import { writeLine, writeResult } from '../../../output/write.ts'
import { openSession } from '../../../settings/session.ts'
import { requireTest } from '../../../test-runs/find-test.ts'
import { toTestName } from '../../../test-runs/run-output.ts'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly reason: string
  readonly until?: string
}

export const command = buildCommand<Flags, [test: string], CliContext>({
  docs: {
    brief: 'Quarantine a test: its failures do not fail a run until the quarantine ends',
    fullDescription: [
      'Takes the id of a test, or its name as "fairlead tests show" writes it. A quarantine ends after 14 days, or',
      'earlier with --until.',
      '',
      '  fairlead tests quarantine add shop.CartTest.removes --app shop --reason "times out, SHOP-12"',
    ].join('\n'),
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('Id or name of the test', 'test')] },
    flags: {
      app: requiredAppFlag,
      reason: { kind: 'parsed', parse: String, brief: 'Why its failures do not count', placeholder: 'text' },
      until: textFlag(
        'When it ends, at most 14 days from now: a date such as YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ',
        'date',
      ),
      ...remoteFlags,
    },
  },
  func(flags, text) {
    return addQuarantine(this.io, flags, text)
  },
})

async function addQuarantine(io: Io, flags: Flags, text: string): Promise<void> {
  const { app, reason, until } = flags
  const expirationDate = until === undefined ? null : parseDate(until)
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, app)
  const test = await requireTest(client, application.id, text)
  const quarantine = await client.tests.quarantine(application.id, { testId: test.id, reason, expirationDate })
  writeResult(io, flags.json, quarantine, () => {
    const end = formatInstant(quarantine.expirationDate)
    writeLine(io, `Quarantined ${toShownLine(toTestName(test))} until ${end}`)
  })
}
