import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { appFlag, parseId, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app?: string
  readonly build?: number
  readonly status?: 'open' | 'done'
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the feedback to an application or a build' },
  parameters: {
    flags: {
      app: appFlag,
      build: { kind: 'parsed', parse: parseId, brief: 'Id of a build', placeholder: 'id', optional: true },
      status: { kind: 'enum', values: ['open', 'done'], brief: 'Only feedback with this status', optional: true },
      ...remoteFlags,
    },
  },
  func(flags) {
    return listFeedback(this.io, flags)
  },
})

async function listFeedback(io: Io, { app, build, status, ...flags }: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const query = { ...(status !== undefined && { status }) }
  const options = { signal: io.signal }
  const feedback =
    build === undefined
      ? await client.feedback.list((await requireApplication(io, client, requireApp(app))).id, query, options)
      : await client.feedback.listOfBuild(build, query, options)
  writeResult(io, flags.json, feedback, () =>
    writeTable(io, feedback, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'BUILD', value: ({ buildId }) => buildId, align: 'right' },
      { title: 'FROM', value: ({ tester, contact }) => tester?.email ?? contact },
      { title: 'PICTURES', value: ({ pictures }) => pictures.length, align: 'right' },
      { title: 'STATUS', value: (one) => one.status },
      { title: 'CREATED', value: ({ createdDate }) => formatInstant(createdDate) },
      { title: 'TEXT', value: ({ text }) => text },
    ]),
  )
}

function requireApp(app: string | undefined): string {
  if (app !== undefined) return app
  throw new CliError('usage', 'Name an application by --app, or a build by --build')
}
