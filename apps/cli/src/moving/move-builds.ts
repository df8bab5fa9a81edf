import type { Client } from '@fairlead/client'
import { RequestError } from '@fairlead/client'
import type { Io } from '../io.ts'
import type { Application } from '../lookups/application.ts'
import type { Group } from '../lookups/groups.ts'
import type { ExportedBuild } from './read-export.ts'
import type { ImportFlags, ImportLine } from './import-line.ts'

/** Finds or creates the application of each build, by bundle identifier. */
export class ApplicationBook {
  readonly #io: Io
  readonly #client: Client
  readonly #known: Application[]
  readonly #held = new Map<number, Set<string>>()

  constructor(io: Io, client: Client, known: readonly Application[]) {
    this.#io = io
    this.#client = client
    this.#known = [...known]
  }

  find(platform: string, bundleIdentifier: string): Application | undefined {
    return this.#known.find((one) => one.platform === platform && one.bundleIdentifier === bundleIdentifier)
  }

  async create({ app }: ExportedBuild): Promise<Application> {
    const { platform, bundleIdentifier, name } = app
    if (platform !== 'android' && platform !== 'ios') throw new TypeError(`There are no applications for ${platform}`)
    const taken = new Set(this.#known.map(({ alias }) => alias))
    const alias = chooseAlias(bundleIdentifier, platform, taken)
    const application = await this.#client.applications.create(
      { name: name.slice(0, 200) || alias, alias, platform, bundleIdentifier },
      { signal: this.#io.signal },
    )
    this.#known.push(application)
    return application
  }

  /** Whether the application already has a build with the same bytes. */
  async holds({ id }: Application, sha256: string): Promise<boolean> {
    const held = this.#held.get(id) ?? new Set((await this.#client.builds.list(id)).map((build) => build.sha256))
    this.#held.set(id, held)
    return held.has(sha256)
  }
}

/** Derives an alias: `com.example.shop` → `shop`, or `shop-ios` and `com-example-shop` if that is taken. */
function chooseAlias(identifier: string, platform: string, taken: ReadonlySet<string>): string {
  const toAlias = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60)
  const last = toAlias(identifier.split('.').at(-1) ?? '') || 'app'
  const candidates = [
    last,
    `${last}-${platform}`,
    toAlias(identifier),
    `${toAlias(identifier).slice(0, 50)}-${platform}`,
  ]
  return candidates.find((alias) => alias !== '' && !taken.has(alias)) ?? `${last.slice(0, 40)}-${taken.size + 1}`
}

interface Place {
  io: Io
  client: Client
  applications: ApplicationBook
  groups: readonly Group[]
  flags: ImportFlags
}

/** Imports one build: uploads it unless it exists, sets its notes, and distributes it to groups of the same names. */
export async function moveBuild(place: Place, build: ExportedBuild): Promise<ImportLine> {
  const { io, client, applications, flags } = place
  const { app, record, path, sha256 } = build
  const what = `${app.bundleIdentifier} ${app.shortVersion ?? '?'} (${app.version ?? '?'})`
  const line = (outcome: ImportLine['outcome'], note: string): ImportLine => ({
    kind: 'build',
    path,
    what,
    outcome,
    note,
  })
  if (app.platform !== 'android' && app.platform !== 'ios') return line('left', `it is for ${app.platform}`)
  let application = applications.find(app.platform, app.bundleIdentifier)
  if (!application && !flags.createApps)
    return line('left', 'no application has its identifier; --create-apps makes one')
  if (application && (await applications.holds(application, sha256))) return line('there', 'the server has these bytes')
  if (flags.dryRun) return line('taken', application ? `would go to ${application.alias}` : 'would make an application')
  try {
    application ??= await applications.create(build)
    const { branch, commit, ciUrl } = record ?? {}
    const source = { branch: branch ?? undefined, commit: commit ?? undefined, ciUrl: ciUrl ?? undefined }
    const idempotencyKey = `import-${application.id}-${sha256}`
    const { alias } = application
    const { id } = await client.builds.upload({ alias, file: path, source, idempotencyKey, signal: io.signal })
    const notes = record?.notes ?? null
    if (notes !== null) await client.builds.setReleaseNotes(id, notes.slice(0, 64 * 1024), { signal: io.signal })
    const missing = flags.distribute ? await distribute(place, id, record?.groups ?? []) : []
    const left = missing.length === 0 ? '' : `; there is no group ${missing.join(', ')}`
    return line('taken', `build ${id} of ${alias}${notes === null ? ', without notes' : ''}${left}`)
  } catch (error) {
    // Only errors of this build are reported here; an unreachable server or a token without the role ends the import.
    if (error instanceof RequestError && [400, 409, 413, 422].includes(error.httpStatus))
      return line('left', error.detail)
    throw error
  }
}

/** Lists the names that no group has. */
async function distribute({ io, client, groups }: Place, id: number, names: readonly string[]): Promise<string[]> {
  const find = (name: string) => groups.find((group) => group.name.toLowerCase() === name.toLowerCase())
  const distributionGroupIds = names.flatMap((name) => find(name)?.id ?? [])
  if (distributionGroupIds.length > 0) {
    await client.builds.distribute(id, { distributionGroupIds, notifyTesters: false }, { signal: io.signal })
  }
  return names.filter((name) => !find(name))
}
