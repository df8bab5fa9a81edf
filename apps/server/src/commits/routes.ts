/**
 * Commits of builds: which commits came with a build, and which files they touched.
 *
 * CI reads them from Git and sends them, so that the server needs no access to the repository. They belong to their
 * build and are deleted with it. Paths are kept turned around as well (`commit-lists/reversed-path.ts`), because a
 * frame of a crash tells only the end of a path.
 */
import { ApiError, BuildCommits, Commit, commitLimits, ListCommits, ReplaceCommits } from '@fairlead/contract'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { keepBuild } from '../builds/keep-build.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { createBodyBudget } from '../http/body-budget.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { listCommits } from './list.ts'
import { replaceCommits } from './replace.ts'

const tags = ['Builds']
const params = z.object({ buildId: PathId })

/** The most bytes of lists in memory: in all, and of one workspace. */
const heldLimits = { maxBytes: 64 * 2 ** 20, maxBytesPerKey: 32 * 2 ** 20 }

/** The scope has a parser of its own, because a process parses the body. */
export function addCommitRoutes(app: App, context: AppContext): void {
  const { bodyBytes: bodyLimit } = commitLimits
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
    done(null, body),
  )
  const held = createBodyBudget(heldLimits)

  app.put(
    '/v1/builds/:buildId/commits',
    {
      bodyLimit,
      config: { role: 'developer', action: 'build.commits' },
      onRequest: [keepBuild(context), held.takeFor((request) => request.caller.workspaceId)],
      validatorCompiler: (route) =>
        // The process checks the body.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Fastify types one part as the whole schema
        route.httpPart === 'body' ? (value) => ({ value }) : validatorCompiler(route as never),
      schema: {
        tags,
        summary: 'Replace the commits of a build',
        description: 'CI sends the commits since the build before, newest first; the body may be gzip.',
        operationId: 'replaceCommits',
        errors: [
          'buildNotFound',
          'unsupportedEncoding',
          'damagedEncoding',
          'tooManyCommits',
          'tooManyRequests',
          'overloaded',
        ],
        params,
        body: ReplaceCommits,
        response: { 200: BuildCommits },
      },
    },
    async (request, reply) => {
      const isGzip = readsGzip(request.headers['content-encoding'])
      const given: unknown = request.body
      const body = Buffer.isBuffer(given) ? given : Buffer.alloc(0)
      return replaceCommits(context, request.build, { body, isGzip }, createHangUpSignal(reply))
    },
  )

  app.get(
    '/v1/builds/:buildId/commits',
    {
      config: { role: 'viewer' },
      onRequest: keepBuild(context),
      schema: {
        tags,
        summary: 'List the commits of a build',
        description: 'Newest first.',
        errors: ['buildNotFound'],
        params,
        querystring: ListCommits,
        response: { 200: z.array(Commit) },
      },
    },
    async (request, reply) => {
      const page = await listCommits(context.db, request.build.id, request.query)
      return sendPage(request, reply, context.config.baseUrl, page)
    },
  )
}

/** @throws {ApiError} unsupportedEncoding */
function readsGzip(header: string | undefined): boolean {
  const name = header?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return false
  if (name === 'gzip' || name === 'x-gzip') return true
  throw new ApiError('unsupportedEncoding', { detail: 'The Content-Encoding must be gzip' })
}
