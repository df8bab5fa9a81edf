/**
 * The endpoints of sentry-cli's `releases`, `deploys` and `info`, which CI jobs call in passing. Version, address,
 * dates and deploys are kept, and ids, dates and files of commits, which builds of the release get. Authors and
 * messages are not, and there is no list of repositories, so that sentry-cli takes the commits of the local one. The
 * `organization` may have any name.
 */
import { ApiError } from '@fairlead/contract'
import { splitRelease } from '@fairlead/crashes'
import { requireAt } from '@fairlead/invariant'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { lockApplication, requireApplicationByAlias } from '../applications/find.ts'
import { recordActions } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import {
  countNewGroups,
  deleteDeclaredReleases,
  findDeclaredReleases,
  insertDeploy,
  listAliases,
  listDeclaredReleases,
  listDeploys,
  listReleasesOfWorkspace,
  type ReleaseValues,
  saveDeclaredRelease,
} from '../crash-releases/declared-releases.ts'
import type { Row } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import type { App } from '../http/app.ts'
import { createBodyBudget } from '../http/body-budget.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { toInstant, toInstantOrNull } from '../http/instant.ts'
import { readCommitList } from '../release-commits/read-list.ts'
import { replaceReleaseCommits } from '../release-commits/replace.ts'
import { requireCaller } from './authorize.ts'
import { NewDeploy, NewRelease, parseBody, ReleaseUpdate } from './release-bodies.ts'

const organization = '/api/0/organizations/:organization'
const project = '/api/0/projects/:organization/:alias'
const Alias = z.object({ alias: z.string() })
const Version = z.object({ version: z.string() })
const hidden = { schema: { hide: true } }
/** The most releases that a list gives, as sentry-cli shows no more. */
const listed = 100
/** Commits of a large release come with the files that they changed. */
const maxBodyBytes = 8 * 2 ** 20
/** The most bytes of releases in memory, as some wait until their commits are read: in all, and of one workspace. */
const heldLimits = { maxBytes: 64 * 2 ** 20, maxBytesPerKey: 32 * 2 ** 20 }

export function addSentryReleaseRoutes(app: App, context: AppContext): void {
  const { db } = context
  recordActions(app, context)
  app.addHook('onRequest', async (request) => {
    request.caller = await requireCaller(context, request, request.method === 'GET' ? 'viewer' : 'developer')
  })
  const saving = {
    ...hidden,
    bodyLimit: maxBodyBytes,
    config: { action: 'release.save' },
    onRequest: createBodyBudget(heldLimits).takeFor(({ caller }) => caller.workspaceId),
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
    done(null, body),
  )

  const findApplication = ({ caller, params }: FastifyRequest) =>
    requireApplicationByAlias(context, caller.workspaceId, Alias.parse(params).alias)
  /** Finds the releases that a request names, at least one. */
  const requireReleases = async ({ caller, params }: FastifyRequest) => {
    const found = await findDeclaredReleases(db, caller.workspaceId, Version.parse(params).version)
    if (found.length === 0) throw new ApiError('notFound', { detail: 'There is no such release' })
    return found
  }
  /** Saves a release for the applications that are named, or for those that have it already. */
  const save = async (request: FastifyRequest, signal: AbortSignal, release: SentRelease) => {
    const { caller } = request
    const { version, aliases, values, hasCommits } = release
    const applications: number[] = []
    for (const alias of new Set(aliases)) {
      applications.push((await requireApplicationByAlias(context, caller.workspaceId, alias)).id)
    }
    if (applications.length === 0) {
      const known = await findDeclaredReleases(db, caller.workspaceId, version)
      applications.push(...known.map((row) => row.application_id))
    }
    if (applications.length === 0) throw new ApiError('notFound', { detail: 'There is no such release' })
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const turn = { turnKey: String(caller.workspaceId), signal }
    const list = hasCommits
      ? await readCommitList(context.readers, { body, isGzip: false, form: 'release' }, turn)
      : undefined
    return transact(db, async (trx) => {
      const saved = []
      for (const id of applications.toSorted((one, other) => one - other)) {
        if (list !== undefined) await lockApplication(trx, id)
        const row = await saveDeclaredRelease(trx, id, version, values)
        if (list !== undefined) await replaceReleaseCommits(trx, row, list)
        saved.push(row)
      }
      return saved
    })
  }
  const describe = async (rows: Row<'declared_releases'>[]) => {
    const ids = rows.map((row) => row.application_id)
    const aliases = await listAliases(db, ids)
    const counts = await countNewGroups(db, ids)
    return [...Map.groupBy(rows, ({ version }) => version).values()].map((ofVersion) => {
      const release = requireAt(ofVersion, 0)
      const { package: name, shortVersion, version } = splitRelease(release.version)
      const isOfRelease = (count: (typeof counts)[number]) =>
        ofVersion.some((row) => row.application_id === count.application_id) &&
        [count.package, count.short_version, count.version].join('\n') ===
          [name ?? '', shortVersion ?? '', version ?? ''].join('\n')
      return {
        id: release.id,
        version: release.version,
        shortVersion: release.version,
        status: release.is_archived === 1 ? 'archived' : 'open',
        ref: release.commit_sha,
        url: release.url,
        dateCreated: toInstant(release.created_at),
        dateReleased: toInstantOrNull(release.released_at),
        newGroups: counts.filter(isOfRelease).reduce((sum, { count }) => sum + count, 0),
        lastEvent: null,
        projects: ofVersion.flatMap((row) => {
          const alias = aliases.get(row.application_id)
          return alias === undefined ? [] : [{ id: row.application_id, slug: alias, name: alias }]
        }),
      }
    })
  }
  const describeOne = async (rows: Row<'declared_releases'>[]) => requireAt(await describe(rows), 0)

  app.get('/api/0/', hidden, () => ({
    version: '0',
    user: null,
    auth: { scopes: ['project:read', 'project:releases', 'org:read'] },
  }))
  app.get(`${organization}/repos/`, hidden, () => [])

  app.get(`${organization}/releases/`, hidden, async ({ caller }) =>
    describe(await listReleasesOfWorkspace(db, caller.workspaceId, listed)),
  )
  app.get(`${project}/releases/`, hidden, async (request) => {
    const { id } = await findApplication(request)
    return describe((await listDeclaredReleases(db, id, { limit: listed })).items)
  })

  for (const path of [`${organization}/releases/`, `${project}/releases/`]) {
    app.post(path, saving, async (request, reply) => {
      const { version, projects, ...rest } = parseBody(NewRelease, request.body)
      const { alias } = Alias.partial().parse(request.params)
      const release = toSentRelease(version, alias === undefined ? projects : [alias], rest)
      const saved = await save(request, createHangUpSignal(reply), release)
      return reply.code(201).send(await describeOne(saved))
    })
  }

  for (const path of [`${organization}/releases/:version/`, `${project}/releases/:version/`]) {
    app.get(path, hidden, async (request) => describeOne(await requireReleases(request)))
    app.put(path, saving, async (request, reply) => {
      const { projects, ...rest } = parseBody(ReleaseUpdate, request.body)
      const { alias } = Alias.partial().parse(request.params)
      const { version } = Version.parse(request.params)
      const release = toSentRelease(version, alias === undefined ? projects : [alias], rest)
      return describeOne(await save(request, createHangUpSignal(reply), release))
    })
    app.delete(path, { ...hidden, config: { action: 'release.delete' } }, async (request, reply) => {
      const found = await requireReleases(request)
      const only = 'alias' in Object(request.params) ? (await findApplication(request)).id : undefined
      const ids = found.filter((row) => only === undefined || row.application_id === only).map(({ id }) => id)
      if (ids.length > 0) await deleteDeclaredReleases(db, ids)
      return reply.code(204).send()
    })
  }

  app.get(`${organization}/releases/:version/commits/`, hidden, async (request) =>
    (await requireReleases(request)).flatMap((row) => (row.commit_sha === null ? [] : [{ id: row.commit_sha }])),
  )
  // Without a release before, sentry-cli takes the newest commits of the local repository.
  app.get(`${organization}/releases/:version/previous-with-commits/`, hidden, () => ({}))

  app.get(`${organization}/releases/:version/deploys/`, hidden, async (request) => {
    const found = await requireReleases(request)
    const deploys = await listDeploys(
      db,
      found.map(({ id }) => id),
    )
    return deploys.map(toDeploy)
  })
  app.post(
    `${organization}/releases/:version/deploys/`,
    { ...hidden, config: { action: 'release.deploy' } },
    async (request, reply) => reply.code(201).send(await deploy(request)),
  )

  async function deploy(request: FastifyRequest) {
    const { projects, dateStarted, dateFinished, environment, name, url } = parseBody(NewDeploy, request.body)
    const found = await requireReleases(request)
    const aliases = await listAliases(
      db,
      found.map((row) => row.application_id),
    )
    const named = found.filter(
      (row) => projects.length === 0 || projects.includes(aliases.get(row.application_id) ?? ''),
    )
    if (named.length === 0) throw new ApiError('aliasNotFound')
    return db.transaction().execute(async (trx) => {
      const times = { started_at: dateStarted ?? null, finished_at: dateFinished ?? null }
      const rows = []
      for (const { id } of named) {
        rows.push(
          await insertDeploy(trx, { release_id: id, environment, name: name ?? null, url: url ?? null, ...times }),
        )
      }
      return toDeploy(requireAt(rows, 0))
    })
  }
}

interface SentRelease {
  version: string
  aliases: readonly string[]
  values: ReleaseValues
  /** Whether the request says which commits the release has. An empty list clears them. */
  hasCommits: boolean
}

function toSentRelease(
  version: string,
  aliases: readonly string[],
  sent: Omit<ReleaseUpdate, 'projects'>,
): SentRelease {
  return { version, aliases, values: toValues(sent), hasCommits: sent.commits !== undefined }
}

function toValues({ url, status, dateReleased, commits, refs }: Omit<ReleaseUpdate, 'projects'>): ReleaseValues {
  // Commits come newest first. An empty list clears them.
  const list = refs?.map(({ commit }) => commit) ?? commits?.map(({ id }) => id)
  return {
    url,
    released_at: dateReleased,
    is_archived: status === undefined || status === null ? undefined : status === 'archived' ? 1 : 0,
    commit_sha: list === undefined ? undefined : (list[0] ?? null),
  }
}

function toDeploy(row: Row<'release_deploys'>) {
  return {
    id: String(row.id),
    environment: row.environment,
    name: row.name,
    url: row.url,
    dateStarted: toInstantOrNull(row.started_at),
    dateFinished: toInstantOrNull(row.finished_at),
  }
}
