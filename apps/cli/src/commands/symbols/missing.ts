import type { Build, Client } from '@fairlead/client'
import { buildCommand, numberParser } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { appFlag, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { toVersion } from '../../output/build.ts'
import { writeTable } from '../../output/table.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app?: string
  readonly builds: number
}

export const command = buildCommand<Flags, [id?: number], CliContext>({
  docs: { brief: 'Show which images of a build, or of the newest builds, have no symbols on the server' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'Id of the build', placeholder: 'id', parse: numberParser, optional: true }],
    },
    flags: {
      app: { ...appFlag, brief: 'Alias of the application whose newest builds are checked' },
      builds: {
        kind: 'parsed',
        parse: numberParser,
        brief: 'Number of items, 1 to 200',
        placeholder: 'n',
        default: '5',
      },
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return showMissing(this.io, flags, id)
  },
})

async function showMissing(io: Io, flags: Flags, id: number | undefined): Promise<void> {
  const listBuilds = chooseBuilds(io, flags, id)
  const { client } = await openSession(io, flags)
  const builds = await listBuilds(client)
  const missing = builds.flatMap((build) =>
    (build.symbols?.missing ?? []).map((image) => ({ build: build.id, version: toVersion(build), ...image })),
  )
  writeResult(io, flags.json, missing, () => {
    writeTable(io, missing, [
      { title: 'BUILD', value: ({ build }) => build, align: 'right' },
      { title: 'VERSION', value: ({ version }) => version },
      { title: 'IMAGE', value: ({ name }) => name },
      { title: 'UUID', value: ({ uuid }) => uuid },
      { title: 'ARCHITECTURE', value: ({ architecture }) => architecture },
    ])
    if (missing.length === 0 && io.stdout.isTTY === true) writeLine(io, 'No symbols are missing')
  })
  if (missing.length > 0) throw new CliError('incomplete', `${missing.length} images have no symbols`)
}

/** Decides before anything is sent whether the call is right, and lists the builds then. */
function chooseBuilds(
  io: Io,
  { app, builds: limit }: Flags,
  id: number | undefined,
): (client: Client) => Promise<Build[]> {
  const { signal } = io
  if (id !== undefined && app === undefined) return async (client) => [await client.builds.get(id, { signal })]
  if (id === undefined && app !== undefined) {
    return async (client) => {
      const application = await requireApplication(io, client, app)
      return (await client.builds.listPage(application.id, { limit }, { signal })).items
    }
  }
  throw new CliError('usage', 'Either a build or an application is needed', { fix: 'Give an id, or --app ALIAS.' })
}
