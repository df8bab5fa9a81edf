import { ApiError, type TesterPageBuild } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { listDevicesOf } from '../devices/find.ts'
import { removeOwnDevice } from '../devices/save.ts'
import { takesFeedback } from '../feedback/rule.ts'
import { toInstant } from '../http/instant.ts'
import { answerErrors } from '../install/answer-errors.ts'
import { isBrowserVisit } from '../install/browser-visit.ts'
import { type Device, readDevice } from '../install/device.ts'
import { chooseLanguage } from '../install/language.ts'
import { toLocalPath } from '../install/urls.ts'
import { findTesterOfPage, type LinkedTesterRecord } from '../testers/find.ts'
import { recordShown } from '../testers/record-opened.ts'
import { changeSubscription } from '../testers/subscribe.ts'
import { toTesterPageUrl } from '../tester-links/page-link.ts'
import { toPersonalUrl } from '../tester-links/personal-link.ts'
import { listBuildsOf } from './list-builds.ts'
import { formPageHeaders, renderTesterPage } from './page.ts'
import { acceptForms, readForm } from './read-form.ts'
import { addUnsubscribeRoutes } from './unsubscribe-routes.ts'

const params = z.object({ personal: z.string() })

/** Adds the pages of testers. Their addresses authorize them: nobody signs in, and no cookie is read. */
export function addTesterPageRoutes(app: App, context: AppContext): void {
  const { signingKey } = context
  const { baseUrl } = context.config

  answerErrors(app, context)
  acceptForms(app)
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('referrer-policy', 'no-referrer').header('x-robots-tag', 'noindex').header('cache-control', 'no-store')
  })

  app.get('/testers/:personal', { schema: { hide: true, params } }, async (request, reply) => {
    const tester = await requireTesterOfPage(context, request.params.personal)
    const { builds, isCut } = await listBuildsOf(context, tester)
    const applicationId = readApplicationId(request.query)
    if (isBrowserVisit(request)) {
      const shown = builds.filter((build) => applicationId === null || build.application_id === applicationId)
      const firstSeen = shown.filter(({ opened_at: openedAt }) => openedAt === null)
      await recordShown(
        context,
        tester,
        firstSeen.map(({ id }) => id),
      )
    }
    const page = renderTesterPage({
      builds,
      isCut,
      tester,
      devices: await listDevicesOf(context, tester),
      isAppleDevice: isAppleDevice(readDevice(request.headers)),
      takesFeedback: await takesFeedback(context, tester.workspace_id, true),
      applicationId,
      path: toLocalPath(toTesterPageUrl(tester, baseUrl, signingKey)),
      language: chooseLanguage(request.headers),
      baseUrl,
      signingKey,
    })
    return reply.headers(formPageHeaders).header('vary', 'Accept, Accept-Language').send(page)
  })

  app.get('/testers/:personal/builds.json', { schema: { hide: true, params } }, async (request, reply) => {
    const tester = await requireTesterOfPage(context, request.params.personal)
    const { builds } = await listBuildsOf(context, tester)
    const answer = builds.map((build): TesterPageBuild => ({
      id: build.id,
      name: build.name,
      platform: build.platform,
      shortVersion: build.short_version,
      version: build.version,
      uploadedDate: toInstant(build.uploaded_at),
      isInstalled: build.isInstalled,
      installUrl: toPersonalUrl(build, tester, baseUrl, signingKey),
    }))
    return reply.type('application/json; charset=utf-8').send(answer)
  })

  // The verb records it, as the tester's action.
  const config = { action: null }
  app.post('/testers/:personal/mails', { config, schema: { hide: true, params } }, async (request, reply) => {
    const tester = await requireTesterOfPage(context, request.params.personal)
    const choice = (await readForm(request)).get('mails')
    if (choice !== 'on' && choice !== 'off') throw new ApiError('invalidRequest')
    const subscription = { workspaceId: tester.workspace_id, emailKey: tester.email_key }
    await changeSubscription(context, subscription, { isSubscribed: choice === 'on', address: request.ip })
    return reply.redirect(toLocalPath(toTesterPageUrl(tester, baseUrl, signingKey)), 303)
  })

  app.post('/testers/:personal/devices', { config, schema: { hide: true, params } }, async (request, reply) => {
    const tester = await requireTesterOfPage(context, request.params.personal)
    const id = Number((await readForm(request)).get('remove'))
    if (!Number.isSafeInteger(id)) throw new ApiError('invalidRequest')
    await removeOwnDevice(context, tester, id, request.ip)
    return reply.redirect(toLocalPath(toTesterPageUrl(tester, baseUrl, signingKey)), 303)
  })

  app.get('/testers/*', { schema: { hide: true } }, async () => {
    throw new ApiError('testerPageNotFound')
  })
  addUnsubscribeRoutes(app, context)
}

/** @throws {ApiError} testerPageNotFound */
async function requireTesterOfPage(context: AppContext, personal: string): Promise<LinkedTesterRecord> {
  const tester = await findTesterOfPage(context, personal)
  if (!tester) throw new ApiError('testerPageNotFound')
  return tester
}

/** The page without this part of its query shows all apps, so nothing else in it is wrong. */
function readApplicationId(query: unknown): number | null {
  const { application } = z.object({ application: z.coerce.number().int().nullable().catch(null) }).parse(query)
  return application
}

/** Safari on an iPad says that it is one on a Mac. */
function isAppleDevice({ platform, mayBeIpad }: Device): boolean {
  return platform === 'ios' || mayBeIpad
}
