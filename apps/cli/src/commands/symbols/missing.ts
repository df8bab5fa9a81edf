import type { Build, Client, MissingSymbols } from '@fairlead/client'
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
  docs: { brief: 'Show which symbols a build lacks, or those that the newest builds and the crashes of an app lack' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'Id of the build', placeholder: 'id', parse: numberParser, optional: true }],
    },
    flags: {
      app: { ...appFlag, brief: 'Alias of the application whose newest builds and crashes are checked' },
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

/** Symbols that a build, crashes, or both of them lack. */
interface MissingRow {
  /** Null if only crashes need it. */
  build: number | null
  version: string | null
  kind: string | null
  name: string | null
  uuid: string | null
  architecture: string | null
  /** How many crashes wait for it. */
  crashCount: number
}

async function showMissing(io: Io, flags: Flags, id: number | undefined): Promise<void> {
  const choose = chooseBuilds(io, flags, id)
  const { client } = await openSession(io, flags)
  const { builds, crashes } = await choose(client)
  const missing = joinMissing(builds, crashes)
  writeResult(io, flags.json, missing, () => {
    writeTable(io, missing, [
      { title: 'BUILD', value: ({ build }) => build ?? '-', align: 'right' },
      { title: 'VERSION', value: ({ version }) => version ?? '-' },
      { title: 'IMAGE', value: ({ name }) => name ?? '-' },
      { title: 'UUID', value: ({ uuid }) => uuid ?? '-' },
      { title: 'ARCHITECTURE', value: ({ architecture }) => architecture ?? '-' },
      { title: 'CRASHES', value: ({ crashCount }) => crashCount, align: 'right' },
    ])
    if (missing.length === 0 && io.stdout.isTTY === true) writeLine(io, 'No symbols are missing')
  })
  if (missing.length > 0) throw new CliError('incomplete', `${missing.length} images have no symbols`)
}

/** Lists the images of builds, and then what only crashes wait for. One image is listed once for each build. */
function joinMissing(builds: readonly Build[], crashes: readonly MissingSymbols[]): MissingRow[] {
  const waited = new Map(crashes.flatMap((one) => (one.uuid === null ? [] : [[one.uuid.toLowerCase(), one]])))
  const ofBuilds = builds.flatMap((build) =>
    (build.symbols?.missing ?? []).map((image) => {
      const found = waited.get(image.uuid.toLowerCase())
      return {
        build: build.id,
        version: toVersion(build),
        kind: found?.kind ?? null,
        ...image,
        crashCount: found?.crashCount ?? 0,
      }
    }),
  )
  const listed = new Set(ofBuilds.map(({ uuid }) => uuid.toLowerCase()))
  const ofCrashes = crashes
    .filter(({ uuid }) => uuid === null || !listed.has(uuid.toLowerCase()))
    .map(({ kind, name, uuid, crashCount, ...release }) => {
      const version = toReleaseText(release)
      return { build: null, version, kind, name: name ?? release.package, uuid, architecture: null, crashCount }
    })
  return [...ofBuilds, ...ofCrashes]
}

function toReleaseText({ shortVersion, version }: Pick<MissingSymbols, 'shortVersion' | 'version'>): string | null {
  if (shortVersion === null) return version
  return version === null ? shortVersion : toVersion({ shortVersion, version })
}

interface Checked {
  builds: Build[]
  crashes: MissingSymbols[]
}

/** Decides before anything is sent whether the call is right, and asks the server then. */
function chooseBuilds(
  io: Io,
  { app, builds: limit }: Flags,
  id: number | undefined,
): (client: Client) => Promise<Checked> {
  const { signal } = io
  if (id !== undefined && app === undefined) {
    return async (client) => ({ builds: [await client.builds.get(id, { signal })], crashes: [] })
  }
  if (id === undefined && app !== undefined) {
    return async (client) => {
      const application = await requireApplication(io, client, app)
      const { items } = await client.builds.listPage(application.id, { limit }, { signal })
      return { builds: items, crashes: await listWaited(client, application.id, signal) }
    }
  }
  throw new CliError('usage', 'Either a build or an application is needed', { fix: 'Give an id, or --app ALIAS.' })
}

/** The server lists at most a thousand, of which a page has at most 200. */
async function listWaited(client: Client, applicationId: number, signal: AbortSignal): Promise<MissingSymbols[]> {
  const listed: MissingSymbols[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await client.crashes.listMissingSymbolsPage(applicationId, { limit: 200, cursor }, { signal })
    listed.push(...page.items)
    if (page.nextCursor === null) return listed
    cursor = page.nextCursor
  }
}
