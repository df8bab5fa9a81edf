/** Says how long answers about builds are true, so that they are sent again without being made anew (decision 002). */
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { type Topic, toTopic } from '../db/changes.ts'
import { findBuildVersion, findPageVersion, type FoundVersion, type TokenIds } from './version-store.ts'

/** The topics whose changes change the answer about a build. */
export function toBuildTopics(build: { id: number; application_id: number }): Topic[] {
  const { id, application_id: applicationId } = build
  return [toTopic('build', id), ...(['application', 'symbolsOf'] as const).map(of(applicationId)), toTopic('groups')]
}

/** The topics whose changes change a list of an application's builds. */
export function toListTopics(applicationId: number): Topic[] {
  return [...(['application', 'symbolsOf', 'buildsOf'] as const).map(of(applicationId)), toTopic('groups')]
}

function of(applicationId: number) {
  return (kind: 'application' | 'symbolsOf' | 'buildsOf') => toTopic(kind, applicationId)
}

interface Held {
  /** Epoch milliseconds at which the answer becomes wrong by itself. */
  staleAt: number
  topics: readonly Topic[]
  /** Over PostgreSQL: the version of what was read. An answer without one is not kept there. */
  version: string | undefined
}

type Context = Pick<AppContext, 'db' | 'memo'>

export function holdBuild(context: Context, request: FastifyRequest, buildId: number, held: Held): void {
  hold(context, request, held, (token) => findBuildVersion(context.db, { ...token, buildId }))
}

export function holdPage(
  context: Context,
  request: FastifyRequest,
  page: { applicationId: number; cursor?: number | undefined; limit: number },
  held: Held,
): void {
  const { applicationId, cursor: below, limit } = page
  hold(context, request, held, (token) =>
    findPageVersion(context.db, { ...token, applicationId, below, limit: limit + 1 }),
  )
}

function hold(
  { memo }: Context,
  request: FastifyRequest,
  { staleAt: until, topics, version }: Held,
  findVersion: (token: TokenIds) => Promise<FoundVersion | undefined>,
): void {
  const { apiTokenId: tokenId, workspaceId, role } = request.caller
  if (tokenId === null) return
  const { changes } = memo
  if (changes) {
    const all = [...topics, toTopic('token', tokenId)]
    const since = request.changesBefore
    request.answerHold = { until, isCurrent: () => changes.areUnchanged(all, since) }
  } else if (version !== undefined) {
    const isCurrent = async () => {
      const found = await findVersion({ tokenId, workspaceId })
      return found?.version === version && found.role === role
    }
    request.answerHold = { until, isCurrent }
  }
}
