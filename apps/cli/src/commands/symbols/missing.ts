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
  if ((id === undefined) === (flags.app === undefined)) {
    throw new CliError('usage', 'Either a build or an application is needed', { fix: 'Give an id, or --app ALIAS.' })
  }
  const { client } = await openSession(io, flags)
  const call = { signal: io.signal }
  const builds =
    id === undefined
      ? (
          await client.builds.listPage(
            (await requireApplication(io, client, flags.app ?? '')).id,
            { limit: flags.builds },
            call,
          )
        ).items
      : [await client.builds.get(id, call)]
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
