import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findBlob, isDeletedMeanwhile } from '../blobs/records.ts'
import type { BuildRecord } from '../builds/build.ts'
import { findLinkedBuild } from '../builds/find.ts'
import { sendBinary } from '../builds/send-binary.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { sendBlob } from '../http/send-blob.ts'
import { toOpenedLink } from './actions.ts'
import { answerErrors } from './answer-errors.ts'
import { deviceHints, readDevice } from './device.ts'
import { toDownloadName } from './download-name.ts'
import { createGrant } from './grant.ts'
import { renderInstallPage } from './install-page.ts'
import { chooseLanguage } from './language.ts'
import { requireGranted, requireLinkedBuild } from './linked-build.ts'
import { renderManifest } from './manifest.ts'
import { findOtherBuilds } from './other-builds.ts'
import { pageHeaders } from './page.ts'
import { readPersonalTester } from '../builds/personal-link.ts'

/** Long enough for a page that stays open overnight; short enough that a forwarded download link soon expires. */
const grantLifetime = 24 * 60 * 60 * 1000

const linkParams = z.object({ secret: z.string() })
const grantParams = linkParams.extend({ grant: z.string() })

/** Adds the routes for testers and their phones. They need no token and no account, only the secret of the link. */
export function addInstallRoutes(app: App, context: AppContext): void {
  const { config, signingKey, blobs, db } = context
  const { baseUrl } = config

  answerErrors(app, context)
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
  })

  const toGrant = (build: BuildRecord, testerId: number | null) => {
    const expiresAt = Math.min(Date.now() + grantLifetime, build.expires_at)
    return createGrant(signingKey, build.secret, { expiresAt, testerId })
  }

  const sendPage = async (request: FastifyRequest, reply: FastifyReply, secret: string, tester?: string) => {
    const build = await requireLinkedBuild(context, secret)
    const testerId = tester === undefined ? undefined : readPersonalTester(signingKey, secret, tester)
    const page = renderInstallPage({
      build,
      others: await findOtherBuilds(context, build),
      device: readDevice(request.headers),
      language: chooseLanguage(request.headers),
      grant: toGrant(build, testerId ?? null),
      link: toOpenedLink(build, testerId === undefined ? undefined : tester, baseUrl),
      baseUrl,
    })
    return reply.headers(pageHeaders).headers(deviceHints).send(page)
  }

  app.get('/install/:secret', { schema: { hide: true, params: linkParams } }, async (request, reply) =>
    sendPage(request, reply, request.params.secret),
  )

  app.get(
    '/install/:secret/for/:tester',
    { schema: { hide: true, params: linkParams.extend({ tester: z.string() }) } },
    async (request, reply) => sendPage(request, reply, request.params.secret, request.params.tester),
  )

  // Icons remain available after the link expires, because lists of builds still show them.
  app.get('/install/:secret/icon', { schema: { hide: true, params: linkParams } }, async (request, reply) => {
    const build = await findLinkedBuild(context, request.params.secret)
    if (!build || build.icon_blob_id === null) throw new ApiError('notFound')
    const blob = await findBlob(db, build.icon_blob_id)
    if (!blob) throw new ApiError('notFound')
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    reply.header('content-security-policy', "default-src 'none'; sandbox")
    try {
      return await sendBlob(blobs, request, reply, { ...blob, contentType: build.icon_type ?? 'image/png' })
    } catch (error) {
      if (!(await isDeletedMeanwhile(db, build.icon_blob_id, error))) throw error
      throw new ApiError('notFound', { cause: error })
    }
  })

  app.get(
    '/install/:secret/:grant/manifest.plist',
    { schema: { hide: true, params: grantParams } },
    async (request, reply) => {
      const { build, grant } = await requireGranted(context, request.params)
      if (build.platform !== 'ios') throw new ApiError('notFound')
      return reply
        .type('application/xml; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(renderManifest(build, toGrant(build, grant.testerId), baseUrl))
    },
  )

  app.get(
    '/install/:secret/:grant/binary/:fileName',
    { schema: { hide: true, params: grantParams.extend({ fileName: z.string() }) } },
    async (request, reply) => {
      const { build, grant } = await requireGranted(context, request.params)
      const kind = readDevice(request.headers).platform === build.platform ? 'install' : 'download'
      reply.header('cache-control', 'private, no-transform')
      return sendBinary(context, request, reply, build, {
        fileName: toDownloadName(build),
        install: { kind, testerId: grant.testerId },
        mayRedirect: true,
      })
    },
  )

  app.get('/install/*', { schema: { hide: true } }, async () => {
    throw new ApiError('installLinkNotFound')
  })
}
