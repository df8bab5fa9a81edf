import { createHash } from 'node:crypto'
import { ApiError, type LatestBuild } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { BuildRecord } from '../builds/build.ts'
import type { AppContext } from '../context.ts'
import { badgeColors, drawBadgeImage } from '../html/badge.ts'
import type { App } from '../http/app.ts'
import { toInstant } from '../http/instant.ts'
import type { LatestLinkRecord } from '../latest-links/latest-link.ts'
import { toLatestUrl } from '../links/latest-url.ts'
import { deviceHints, readDevice } from './device.ts'
import { feedbackHeaders } from './feedback-form.ts'
import { offerFeedback } from './feedback-place.ts'
import { createLatestGrant, grantLifetime } from './grant.ts'
import { renderInstallPage } from './install-page.ts'
import { chooseLanguage } from './language.ts'
import { isLinkPassword, readBasicPassword, readPasswordField } from './link-password.ts'
import { requireLatestLinkOf, requireServedBuilds } from './linked-build.ts'
import { findOtherBuilds } from './other-builds.ts'
import { passwordPageHeaders, renderPasswordPage } from './password-page.ts'
import { renderQrCode } from './qr-code.ts'
import { sendIcon } from './send-icon.ts'
import { toShownText } from './shown-text.ts'
import { toBinaryUrl, toGrantedIconUrl, toLocalPath, toManifestUrl } from './urls.ts'

const params = z.object({ secret: z.string() })

/** Badges and QR codes are loaded by pages that nobody signs in to, and change only with the build or the address. */
const imageCaching = 'public, max-age=300'

/**
 * Adds the addresses of latest links. Each shows its newest build in place: a redirect to the build's own install link
 * would give away an address that outlives the password, the expiry and the revocation of the latest link.
 */
export function addLatestRoutes(app: App, context: AppContext): void {
  const { config, signingKey } = context
  const { baseUrl } = config

  const grantTo = (link: LatestLinkRecord, build: BuildRecord) => {
    const ends = [Date.now() + grantLifetime, build.expires_at, link.expires_at ?? Number.POSITIVE_INFINITY]
    return createLatestGrant(signingKey, build.id, link, Math.min(...ends))
  }

  const sendPage = async (request: FastifyRequest, reply: FastifyReply, secret: string) => {
    const link = await requireLatestLinkOf(context, secret)
    const language = chooseLanguage(request.headers)
    const isPosted = request.method === 'POST'
    const given = isPosted ? readPasswordField(request.body) : ''
    if (!(await isLinkPassword(context, toProtectedLink(link), given, request.ip))) {
      const page = renderPasswordPage(link.application_name, language, isPosted)
      return reply
        .code(isPosted ? 403 : 200)
        .headers(passwordPageHeaders)
        .send(page)
    }
    const { build, older } = await requireServedBuilds(context, link)
    const grant = grantTo(link, build)
    const url = toLatestUrl(link, baseUrl)
    const hasIcon = build.icon_blob_id !== null
    const page = renderInstallPage({
      build,
      others: await findOtherBuilds(context, build),
      isInProfile: null,
      device: readDevice(request.headers),
      language,
      grant,
      link: url,
      testerPage: null,
      expiresAt: link.expires_at,
      icon: hasIcon ? toLocalPath(toGrantedIconUrl(grant, baseUrl)) : null,
      preview: link.link_password_hash === null ? { icon: hasIcon ? `${url}/icon` : null } : null,
      older: older.map((one) => ({ build: one, grant: grantTo(link, one) })),
      feedback: await offerFeedback(context, { build, grant, page: toLocalPath(url), isPersonal: false }),
      baseUrl,
    })
    return reply.headers(feedbackHeaders).headers(deviceHints).send(page)
  }

  app.route({
    method: 'GET',
    url: '/latest/:secret',
    schema: { hide: true, params },
    handler: async (request, reply) => sendPage(request, reply, request.params.secret),
  })
  app.route({
    method: 'POST',
    url: '/latest/:secret',
    schema: { hide: true, params },
    // The form brings the password of a protected link; nothing is written.
    config: { action: null },
    handler: async (request, reply) => sendPage(request, reply, request.params.secret),
  })

  app.get('/latest/:secret/build.json', { schema: { hide: true, params } }, async (request, reply) => {
    const link = await requireAllowed(context, request, request.params.secret)
    const { build } = await requireServedBuilds(context, link)
    const answer = toLatestBuild(build, grantTo(link, build), { pageUrl: toLatestUrl(link, baseUrl), baseUrl })
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(answer)
  })

  app.get('/latest/:secret/binary', { schema: { hide: true, params } }, async (request, reply) => {
    const link = await requireAllowed(context, request, request.params.secret)
    const { build } = await requireServedBuilds(context, link)
    return reply.header('cache-control', 'no-store').redirect(toBinaryUrl(build, grantTo(link, build), baseUrl), 302)
  })

  app.get('/latest/:secret/icon', { schema: { hide: true, params } }, async (request, reply) => {
    const link = await requireAllowed(context, request, request.params.secret)
    const { build } = await requireServedBuilds(context, link)
    return sendIcon(context, request, reply, build, 'no-store')
  })

  app.get('/latest/:secret/qr.svg', { schema: { hide: true, params } }, async (request, reply) => {
    const link = await requireAllowed(context, request, request.params.secret)
    await requireServedBuilds(context, link)
    const svg = renderQrCode(toLatestUrl(link, baseUrl), link.name).toString()
    // A shared cache would give the code of a protected link to those who have no password.
    const caching = link.link_password_hash === null ? imageCaching : 'private, no-cache'
    return sendImage(request, reply, svg.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" '), caching)
  })

  app.get('/latest/:secret/badge.svg', { schema: { hide: true, params } }, async (request, reply) => {
    const link = await requireLatestLinkOf(context, request.params.secret)
    // It would tell the version to those who have no password.
    if (link.link_password_hash !== null) throw new ApiError('notFound')
    const { build } = await requireServedBuilds(context, link)
    const words = `${toShownText(build.short_version, 40)} (${toShownText(build.version, 40)})`
    return sendImage(request, reply, drawBadgeImage('latest build', words, badgeColors.plain), imageCaching)
  })

  app.get('/latest/*', { schema: { hide: true } }, async () => {
    throw new ApiError('installLinkNotFound')
  })
}

/**
 * Returns the link of an address that programs read. They send its password in a header.
 *
 * @throws {ApiError} installLinkNotFound, installLinkExpired, installLinkRevoked, linkPasswordNeeded, tooManyRequests
 */
async function requireAllowed(
  context: Pick<AppContext, 'db' | 'guard'>,
  request: FastifyRequest,
  secret: string,
): Promise<LatestLinkRecord> {
  const link = await requireLatestLinkOf(context, secret)
  const given = readBasicPassword(request.headers.authorization)
  if (!(await isLinkPassword(context, toProtectedLink(link), given, request.ip))) {
    throw new ApiError('linkPasswordNeeded', {
      headers: { 'www-authenticate': 'Basic realm="Latest build", charset="UTF-8"' },
    })
  }
  return link
}

function toProtectedLink(link: LatestLinkRecord) {
  return { name: `latest ${link.id}`, passwordHash: link.link_password_hash }
}

function toLatestBuild(
  build: BuildRecord,
  grant: string,
  { pageUrl, baseUrl }: { pageUrl: string; baseUrl: string },
): LatestBuild {
  return {
    id: build.id,
    platform: build.platform,
    bundleIdentifier: build.bundle_identifier,
    shortVersion: build.short_version,
    version: build.version,
    uploadedDate: toInstant(build.uploaded_at),
    size: build.size,
    sha256: build.sha256,
    releaseNotes: build.release_notes,
    pageUrl,
    downloadUrl: toBinaryUrl(build, grant, baseUrl),
    manifestUrl: build.platform === 'ios' ? toManifestUrl(grant, baseUrl) : null,
  }
}

function sendImage(request: FastifyRequest, reply: FastifyReply, svg: string, caching: string): FastifyReply {
  const etag = `"${createHash('sha256').update(svg).digest('base64url')}"`
  reply
    .header('cache-control', caching)
    .header('etag', etag)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .type('image/svg+xml')
  if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send()
  return reply.send(svg)
}
