import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findLinkedBuild } from '../builds/find.ts'
import { sendBinary } from '../builds/send-binary.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { recordOpened } from '../testers/record-opened.ts'
import { toOpenedLink } from './actions.ts'
import { answerErrors } from './answer-errors.ts'
import { isBrowserVisit } from './browser-visit.ts'
import { deviceHints, readDevice } from './device.ts'
import { toDownloadName } from './download-name.ts'
import { isInProfile } from '../devices/build-devices.ts'
import { addDeviceAddresses } from './device-routes.ts'
import { feedbackHeaders } from './feedback-form.ts'
import { offerFeedback } from './feedback-place.ts'
import { addFeedbackPlaces } from './feedback-routes.ts'
import { createGrant, grantLifetime } from './grant.ts'
import { renderInstallPage } from './install-page.ts'
import { chooseLanguage } from './language.ts'
import { isLinkPassword, readPasswordField } from './link-password.ts'
import { addBaseUrlPage } from './base-url-routes.ts'
import { addLatestRoutes } from './latest-routes.ts'
import { requireGranted, requireLinkedBuild } from './linked-build.ts'
import { renderManifest } from './manifest.ts'
import { findOtherBuilds } from './other-builds.ts'
import { toIconUrl } from '../links/install-url.ts'
import { passwordPageHeaders, renderPasswordPage } from './password-page.ts'
import { sendIcon } from './send-icon.ts'
import { findTesterOfLink } from '../testers/find.ts'
import { toTesterPageUrl } from '../tester-links/page-link.ts'
import { toLocalPath } from './urls.ts'

/** A password form is a few hundred bytes, and nobody has signed in to send it. */
const formLimit = 16 * 1024

const linkParams = z.object({ secret: z.string() })
const personalParams = linkParams.extend({ tester: z.string() })
const grantParams = z.object({ grant: z.string() })

interface LinkAddress {
  secret: string
  tester?: string
}

/** Adds the routes for testers and their phones. They need no token and no account, only the secret of the link. */
export function addInstallRoutes(app: App, context: AppContext): void {
  const { config, signingKey } = context
  const { baseUrl } = config

  answerErrors(app, context)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    (_request, body, done) => done(null, body),
  )
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex')
  })

  const sendPage = async (request: FastifyRequest, reply: FastifyReply, { secret, tester }: LinkAddress) => {
    const build = await requireLinkedBuild(context, secret)
    const person = tester === undefined ? undefined : await findTesterOfLink(context, build, tester)
    // The page counts as opened before its password is given.
    if (person && isBrowserVisit(request)) await recordOpened(context, person, build.id)
    const language = chooseLanguage(request.headers)
    const isPosted = request.method === 'POST'
    const given = isPosted ? readPasswordField(request.body) : ''
    const link = { name: String(build.id), passwordHash: build.link_password_hash }
    if (!(await isLinkPassword(context, link, given, request.ip))) {
      const page = renderPasswordPage(build.name, language, isPosted)
      return reply
        .code(isPosted ? 403 : 200)
        .headers(passwordPageHeaders)
        .send(page)
    }
    const expiresAt = Math.min(Date.now() + grantLifetime, build.expires_at)
    const isPersonal = person !== undefined
    const grant = createGrant(signingKey, build, { expiresAt, testerId: person?.id ?? null })
    const opened = toOpenedLink(build, isPersonal ? tester : undefined, baseUrl)
    const page = renderInstallPage({
      build,
      others: await findOtherBuilds(context, build),
      isInProfile: person ? await isInProfile(context, build, person) : null,
      device: readDevice(request.headers),
      language,
      grant,
      link: opened,
      testerPage: person ? toLocalPath(toTesterPageUrl(person, baseUrl, signingKey)) : null,
      expiresAt: build.expires_at,
      icon: build.icon_blob_id === null ? null : toLocalPath(toIconUrl(build, baseUrl)),
      preview: null,
      older: [],
      feedback: await offerFeedback(context, { build, grant, page: toLocalPath(opened), isPersonal }),
      baseUrl,
    })
    return reply.headers(feedbackHeaders).headers(deviceHints).send(page)
  }

  // The form brings the password of a protected link; nothing is written.
  const asksOnly = { action: null }
  for (const method of ['GET', 'POST'] as const) {
    const bodyLimit = formLimit
    app.route({
      method,
      url: '/install/:secret',
      bodyLimit,
      schema: { hide: true, params: linkParams },
      config: asksOnly,
      handler: async (request, reply) => sendPage(request, reply, request.params),
    })
    app.route({
      method,
      url: '/install/:secret/for/:tester',
      bodyLimit,
      schema: { hide: true, params: personalParams },
      config: asksOnly,
      handler: async (request, reply) => sendPage(request, reply, request.params),
    })
  }

  // Icons remain available after the link expires, because lists of builds still show them.
  app.get('/install/:secret/icon', { schema: { hide: true, params: linkParams } }, async (request, reply) =>
    sendIcon(context, request, reply, await findLinkedBuild(context, request.params.secret)),
  )
  addGrantedRoutes(app, context)
  addBaseUrlPage(app, context)
  addLatestRoutes(app, context)
  void app.register(async (places: App) => addFeedbackPlaces(places, context))
  void app.register(async (devices: App) => addDeviceAddresses(devices, context))

  app.get('/install/*', { schema: { hide: true } }, async () => {
    throw new ApiError('installLinkNotFound')
  })
}

/** Adds the addresses that a grant authorizes. The manifest passes its own grant on, so a grant cannot be renewed. */
function addGrantedRoutes(app: App, context: AppContext): void {
  const { baseUrl } = context.config

  app.get(
    '/install/granted/:grant/manifest.plist',
    { schema: { hide: true, params: grantParams } },
    async (request, reply) => {
      const { build } = await requireGranted(context, request.params.grant)
      if (build.platform !== 'ios') throw new ApiError('notFound')
      return reply
        .type('application/xml; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(renderManifest(build, request.params.grant, baseUrl))
    },
  )

  app.get(
    '/install/granted/:grant/binary/:fileName',
    { schema: { hide: true, params: grantParams.extend({ fileName: z.string() }) } },
    async (request, reply) => {
      const { build, testerId } = await requireGranted(context, request.params.grant)
      const kind = readDevice(request.headers).platform === build.platform ? 'install' : 'download'
      reply.header('cache-control', 'private, no-transform')
      return sendBinary(context, request, reply, build, {
        fileName: toDownloadName(build),
        install: { kind, testerId },
        mayRedirect: true,
      })
    },
  )

  app.get('/install/granted/:grant/icon', { schema: { hide: true, params: grantParams } }, async (request, reply) =>
    sendIcon(context, request, reply, (await requireGranted(context, request.params.grant)).build),
  )
}
