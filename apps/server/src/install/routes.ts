import { ApiError } from '@fairlead/contract'
import { z } from 'zod'
import { binaryType } from '../builds/binary-type.ts'
import { type BuildRecord, isExpired } from '../builds/build.ts'
import { findBlobKey, findBuildBySecret } from '../builds/store.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { sendBlob, startsAtZero } from '../http/send-blob.ts'
import { countInstall } from './count-install.ts'
import { createGrant, type Grant, readGrant } from './grant.ts'
import { renderInstallPage } from './install-page.ts'
import { renderManifest } from './manifest.ts'
import { renderMessagePage } from './message-page.ts'
import { readPersonalTester } from './personal-link.ts'

/** A page left open over a night still works; a link sent on to strangers does not for long. */
const grantLifetime = 24 * 60 * 60 * 1000

const secret = z.string().max(64)

/** What testers and their phones ask for: no token, no account, only the secret of the link. */
export function addInstallRoutes(app: App, context: AppContext): void {
  const { config, linkKey, blobs, db } = context

  app.addHook('onSend', async (_request, reply) => {
    reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
  })

  const showPage = async (build: BuildRecord | undefined, testerId: number | null, userAgent: string) => {
    if (!build) return { status: 404, html: renderMessagePage('installLinkNotFound') }
    if (isExpired(build)) return { status: 410, html: renderMessagePage('installLinkExpired') }
    const grant = createGrant(linkKey, build.secret, { expiresAt: toGrantExpiry(build), testerId })
    return { status: 200, html: renderInstallPage({ build, grant, baseUrl: config.baseUrl, userAgent }) }
  }

  app.get('/install/:secret', { schema: { hide: true, params: z.object({ secret }) } }, async (request, reply) => {
    const build = await findBuildBySecret(db, request.params.secret)
    const { status, html } = await showPage(build, null, request.headers['user-agent'] ?? '')
    return reply.code(status).headers(pageHeaders).send(html)
  })

  app.get(
    '/install/:secret/for/:tester',
    { schema: { hide: true, params: z.object({ secret, tester: z.string().max(64) }) } },
    async (request, reply) => {
      const build = await findBuildBySecret(db, request.params.secret)
      const testerId = readPersonalTester(linkKey, request.params.secret, request.params.tester) ?? null
      const { status, html } = await showPage(build, testerId, request.headers['user-agent'] ?? '')
      return reply.code(status).headers(pageHeaders).send(html)
    },
  )

  app.get('/install/:secret/icon', { schema: { hide: true, params: z.object({ secret }) } }, async (request, reply) => {
    const build = await findBuildBySecret(db, request.params.secret)
    if (!build || build.icon_blob_id === null) throw new ApiError('notFound')
    const blob = await db
      .selectFrom('blobs')
      .select(['key', 'sha256', 'size'])
      .where('id', '=', build.icon_blob_id)
      .executeTakeFirst()
    if (!blob) throw new ApiError('notFound')
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return sendBlob(blobs, request, reply, { ...blob, contentType: build.icon_type ?? 'image/png' })
  })

  const grantParams = z.object({ secret, grant: z.string().max(64) })

  app.get(
    '/install/:secret/:grant/manifest.plist',
    { schema: { hide: true, params: grantParams } },
    async (request, reply) => {
      const { build, grant } = await requireGranted(context, request.params)
      if (build.platform !== 'ios') throw new ApiError('notFound')
      const text = createGrant(linkKey, build.secret, { expiresAt: toGrantExpiry(build), testerId: grant.testerId })
      return reply
        .type('application/xml; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(renderManifest(build, text, config.baseUrl))
    },
  )

  app.get(
    '/install/:secret/:grant/binary/:fileName',
    { schema: { hide: true, params: grantParams.extend({ fileName: z.string().max(1000) }) } },
    async (request, reply) => {
      const { build, grant } = await requireGranted(context, request.params)
      const key = await findBlobKey(db, build.blob_id)
      if (key === undefined) throw new ApiError('installLinkNotFound')
      if (startsAtZero(request, build.size)) await countInstall(context, build.id, { kind: 'install', ...grant })
      reply.header('cache-control', 'private, no-transform')
      const { sha256, size } = build
      const contentType = binaryType[build.platform]
      return sendBlob(blobs, request, reply, { key, sha256, size, contentType, fileName: build.file_name })
    },
  )
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // Release notes come from outside: whatever slips through the escaping, nothing runs and nothing is loaded.
  'content-security-policy':
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

function toGrantExpiry(build: BuildRecord): number {
  return Math.min(Date.now() + grantLifetime, build.expires_at)
}

/** @throws {ApiError} installLinkNotFound, installLinkExpired */
async function requireGranted(
  { db, linkKey }: AppContext,
  params: { secret: string; grant: string },
): Promise<{ build: BuildRecord; grant: Grant }> {
  const build = await findBuildBySecret(db, params.secret)
  if (!build) throw new ApiError('installLinkNotFound')
  if (isExpired(build)) throw new ApiError('installLinkExpired')
  const grant = readGrant(linkKey, build.secret, params.grant)
  if (!grant) throw new ApiError('installLinkExpired')
  return { build, grant }
}
