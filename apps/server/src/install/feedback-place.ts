import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { BuildRecord } from '../builds/build.ts'
import { findGrantedBuild } from '../builds/find.ts'
import type { AppContext } from '../context.ts'
import { takesFeedback } from '../feedback/rule.ts'
import { toLatestUrl } from '../links/latest-url.ts'
import { findTesterOfLink } from '../testers/find.ts'
import { toOpenedLink } from './actions.ts'
import type { FeedbackForm } from './feedback-form.ts'
import { isStateOf, readGrant, readLatestGrant } from './grant.ts'
import { isLinkPassword, readBasicPassword } from './link-password.ts'
import { requireLatestLinkOf, requireLinkedBuild, requireServedBuilds } from './linked-build.ts'
import { toLocalPath } from './urls.ts'

/** A page that offers a build, as the place where feedback to this build is left. */
export interface FeedbackPlace {
  build: BuildRecord
  /** The name of the app. */
  app: string
  /** The tester of a personal link. */
  testerId: number | null
  /** The name of the link for limits. */
  link: string
  /** The path of the page. */
  page: string
  /** Whether the request knows the password of the link, if it has one. */
  isAllowed: boolean
  /** The grant of the page that the form stood on. */
  grant: string | undefined
}

const Params = z.object({ secret: z.string(), tester: z.string().optional() })
const Query = z.object({ grant: z.string().optional() })

/** Returns the path that the form is sent to. The grant shows that the page was opened with the link's password. */
export function toFormPath({ page, grant }: Pick<FeedbackPlace, 'page' | 'grant'>): string {
  return `${page}/feedback${grant === undefined ? '' : `?grant=${grant}`}`
}

/** Returns the form for a page that shows a build; null where the workspace takes no feedback by such a link. */
export async function offerFeedback(
  context: AppContext,
  { build, grant, page, isPersonal }: { build: BuildRecord; grant: string; page: string; isPersonal: boolean },
): Promise<FeedbackForm | null> {
  if (!(await takesFeedback(context, build.workspace_id, isPersonal))) return null
  return { action: toFormPath({ page, grant }), isPersonal }
}

/** @throws {ApiError} installLinkNotFound, installLinkExpired, installLinkRevoked, buildTrashed, tooManyRequests */
export async function openInstallPlace(context: AppContext, request: FastifyRequest): Promise<FeedbackPlace> {
  const { signingKey, config } = context
  const { secret, tester } = Params.parse(request.params)
  const { grant } = Query.parse(request.query)
  const build = await requireLinkedBuild(context, secret)
  const person = tester === undefined ? undefined : await findTesterOfLink(context, build, tester)
  const testerId = person?.id ?? null
  // A grant says when a download ends, but a form that was open for longer is not to lose what was typed.
  const isGranted = grant !== undefined && readGrant(signingKey, build, grant) !== undefined
  const name = String(build.id)
  return {
    build,
    app: build.name,
    testerId,
    link: testerId === null ? `build ${name}` : `build ${name} tester ${testerId}`,
    page: toLocalPath(toOpenedLink(build, testerId === null ? undefined : tester, config.baseUrl)),
    isAllowed: isGranted || (await knowsPassword(context, request, name, build.link_password_hash)),
    grant: isGranted ? grant : undefined,
  }
}

/**
 * A latest link may show another build by now, so feedback goes to the build that the grant of the page names.
 *
 * @throws {ApiError} installLinkNotFound, installLinkExpired, installLinkRevoked, nothingToInstall, tooManyRequests
 */
export async function openLatestPlace(context: AppContext, request: FastifyRequest): Promise<FeedbackPlace> {
  const { signingKey, config } = context
  const { secret } = Params.parse(request.params)
  const { grant } = Query.parse(request.query)
  const link = await requireLatestLinkOf(context, secret)
  const read = grant === undefined ? undefined : readLatestGrant(signingKey, grant)
  const granted = read && read.linkId === link.id && isStateOf(signingKey, link, read.state) ? read : undefined
  const shown = granted && (await findGrantedBuild(context, granted.buildId))
  const name = `latest ${link.id}`
  return {
    build: shown ?? (await requireServedBuilds(context, link)).build,
    app: link.application_name,
    testerId: null,
    link: name,
    page: toLocalPath(toLatestUrl(link, config.baseUrl)),
    isAllowed: granted !== undefined || (await knowsPassword(context, request, name, link.link_password_hash)),
    grant: granted && grant,
  }
}

async function knowsPassword(
  context: AppContext,
  { headers, ip }: FastifyRequest,
  name: string,
  passwordHash: string | null,
): Promise<boolean> {
  return isLinkPassword(context, { name, passwordHash }, readBasicPassword(headers.authorization), ip)
}
