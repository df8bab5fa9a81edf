import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, textArgument, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { readReport } from '../../lookups/read-input.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly version?: string
  readonly shortVersion?: string
}

export const command = buildCommand<Flags, [file: string], CliContext>({
  docs: {
    brief: 'Send a crash report: an Android trace, log or tombstone, an .ips, a .crash, MetricKit, JavaScript, Dart',
    fullDescription: 'fairlead crashes upload crash.txt --app shop --version 412 --short-version 2.4.0',
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('The report; - is standard input', 'file')] },
    flags: {
      app: requiredAppFlag,
      version: textFlag('Build number, where the report does not say', 'code'),
      shortVersion: textFlag('Version, where the report does not say', 'name'),
      ...remoteFlags,
    },
  },
  func(flags, file) {
    return uploadCrash(this.io, flags, file)
  },
})

async function uploadCrash(io: Io, flags: Flags, file: string): Promise<void> {
  const report = await readReport(io, file)
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const { version, shortVersion } = flags
  const sent = await client.crashes.sendReport(application.id, new Blob([report]), {
    ...(version !== undefined && { version }),
    ...(shortVersion !== undefined && { shortVersion }),
  })
  writeResult(io, flags.json, sent, () => io.stdout.write(`Sent as ${sent.id}\n`))
}
