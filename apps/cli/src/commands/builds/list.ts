import type { Build, BuildFacts, Client } from '@fairlead/client'
import { buildCommand, numberParser } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, requiredAppFlag, switchFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { toVersion } from '../../output/build.ts'
import { type Column, writeTable } from '../../output/table.ts'
import { formatBytes, formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

/** The orders of the API, listed again, because the schemas of the contract would slow every start. */
const sorts = ['newest', 'oldest', 'largest', 'installs'] as const

interface Flags extends RemoteFlags {
  readonly app: string
  readonly group?: string
  readonly branch?: string
  readonly search?: string
  readonly sort: (typeof sorts)[number]
  readonly facts: boolean
  readonly limit: number
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the builds of an application' },
  parameters: {
    flags: {
      app: requiredAppFlag,
      group: textFlag('Only builds that this distribution group has', 'name'),
      branch: textFlag('Only builds of this branch', 'branch'),
      search: textFlag('Only builds with this text in versions, branch, commit or notes', 'text'),
      sort: { kind: 'enum', values: sorts, brief: 'Which builds come first', default: 'newest' },
      facts: switchFlag('Show verdict, crashes and change of size too'),
      limit: {
        kind: 'parsed',
        parse: numberParser,
        brief: 'Number of items, 1 to 200',
        placeholder: 'n',
        default: '20',
      },
      ...remoteFlags,
    },
  },
  func(flags) {
    return listBuilds(this.io, flags)
  },
})

async function listBuilds(io: Io, flags: Flags): Promise<void> {
  const { app, group, branch, search, sort, limit } = flags
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    throw new CliError('usage', '--limit takes a number from 1 to 200')
  }
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, app)
  const query = { limit, distributionGroupName: group, branch, q: search, sort }
  const { items } = await client.builds.listPage(application.id, query, { signal: io.signal })
  const facts = flags.facts ? await readFacts(io, client, application.id, items) : undefined
  const found = facts ? items.map((build) => ({ ...build, facts: facts.get(build.id) ?? null })) : items
  writeResult(io, flags.json, found, () =>
    writeTable(io, items, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'NUMBER', value: ({ number }) => `#${number}`, align: 'right' },
      { title: 'VERSION', value: toVersion },
      { title: 'SIZE', value: ({ size }) => formatBytes(size), align: 'right' },
      { title: 'UPLOADED', value: ({ uploadedDate }) => formatInstant(uploadedDate) },
      { title: 'BRANCH', value: ({ source }) => source?.branch ?? null },
      { title: 'GROUPS', value: ({ distributionGroups }) => distributionGroups.map(({ name }) => name).join(', ') },
      { title: 'INSTALLS', value: ({ installCount }) => installCount, align: 'right' },
      ...(facts === undefined ? [] : toFactColumns(facts)),
    ]),
  )
}

/** As many builds as one request takes. */
const factsAtOnce = 50

async function readFacts(
  io: Io,
  client: Client,
  applicationId: number,
  builds: Build[],
): Promise<Map<number, BuildFacts>> {
  const facts = new Map<number, BuildFacts>()
  for (let start = 0; start < builds.length; start += factsAtOnce) {
    const ids = builds.slice(start, start + factsAtOnce).map(({ id }) => id)
    const found = await client.builds.listFacts(applicationId, ids, { signal: io.signal })
    for (const one of found) facts.set(one.buildId, one)
  }
  return facts
}

function toFactColumns(facts: Map<number, BuildFacts>): Column<Build>[] {
  return [
    { title: 'VERDICT', value: ({ id }) => facts.get(id)?.verdict ?? null },
    { title: 'CRASHES', value: ({ id }) => facts.get(id)?.crashCount ?? null, align: 'right' },
    { title: 'CHANGE', value: ({ id }) => toChange(facts.get(id)?.sizeChange ?? null), align: 'right' },
  ]
}

function toChange(bytes: number | null): string | null {
  if (bytes === null) return null
  return bytes < 0 ? `-${formatBytes(-bytes)}` : `+${formatBytes(bytes)}`
}
