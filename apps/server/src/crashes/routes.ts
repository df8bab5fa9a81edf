import {
  ApiError,
  ChangedCount,
  CrashGroup,
  CrashGroupQuery,
  CrashIntake,
  CrashRules,
  DeclaredRelease,
  DiscardedGroup,
  InstallQuery,
  MissingSymbols,
  MissingSymbolsQuery,
  Page,
  Stability,
  StabilityQuery,
  UpdateCrashGroups,
} from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { listReleases } from '../crash-releases/declared-releases.ts'
import { listCrashGroups } from '../crash-groups/find.ts'
import { toDiscardedGroup } from '../crash-reading/discards.ts'
import { deleteDiscard, listDiscards } from '../crash-groups/discards-store.ts'
import { findExportFormat, sendExport } from './export-list.ts'
import { updateCrashGroups } from '../crash-groups/update-groups.ts'
import { describeIntake } from '../crash-reading/intake-state.ts'
import { removeInstallOf } from '../crash-reading/remove-install.ts'
import { replaceRules } from '../crash-stacks/replace-rules.ts'
import { findRules } from '../crash-stacks/rules-store.ts'
import { listStability } from './stability.ts'
import { findApplicationOfCrashes } from '../crash-stacks/application-store.ts'
import { listMissingSymbols } from '../crash-releases/statistics-store.ts'

const tags = ['Crashes']
const ofApplication = z.object({ applicationId: PathId })

/** Adds the routes about all crashes of an application. */
export function addCrashRoutes(app: App, context: AppContext): void {
  const { baseUrl } = context.config
  const onRequest = checkExists('applicationId', (workspaceId, id) => requireApplication(context, workspaceId, id))
  const config = { role: 'viewer' } as const
  const params = ofApplication

  app.get(
    '/v1/applications/:applicationId/crashGroups',
    {
      config,
      onRequest,
      schema: {
        tags,
        summary: 'List the crash groups of an application',
        operationId: 'listCrashGroups',
        errors: ['applicationNotFound'],
        params,
        querystring: CrashGroupQuery,
        response: { 200: z.array(CrashGroup) },
      },
    },
    async (request, reply) => {
      const { applicationId } = request.params
      const format = findExportFormat(request)
      if (format !== undefined) {
        sendExport(reply, format, 'crash-groups', (page) =>
          listCrashGroups(context, applicationId, { ...request.query, ...page }),
        )
        return reply
      }
      const page = await listCrashGroups(context, applicationId, request.query)
      return sendPage(request, reply, baseUrl, page)
    },
  )

  app.patch(
    '/v1/applications/:applicationId/crashGroups',
    {
      config: { role: 'developer', action: 'crashGroup.updateMany' },
      onRequest,
      schema: {
        tags,
        summary: 'Change many crash groups, by their ids or by a filter',
        operationId: 'updateCrashGroups',
        errors: ['applicationNotFound'],
        params,
        body: UpdateCrashGroups,
        response: { 200: ChangedCount },
      },
    },
    ({ caller, params, body }) => updateCrashGroups(context, caller.workspaceId, params.applicationId, body),
  )

  app.get(
    '/v1/applications/:applicationId/releases',
    {
      config,
      onRequest,
      schema: {
        tags,
        summary: 'List the releases that CI has announced, with their commits and deploys',
        operationId: 'listDeclaredReleases',
        errors: ['applicationNotFound'],
        params,
        querystring: Page.strict(),
        response: { 200: z.array(DeclaredRelease) },
      },
    },
    async (request, reply) => {
      const page = await listReleases(context, request.params.applicationId, request.query)
      return sendPage(request, reply, baseUrl, page)
    },
  )

  app.get(
    '/v1/applications/:applicationId/discardedGroups',
    {
      config,
      onRequest,
      schema: {
        tags,
        summary: 'List the discarded crash groups, whose crashes are dropped',
        operationId: 'listDiscardedGroups',
        errors: ['applicationNotFound'],
        params,
        querystring: Page.strict(),
        response: { 200: z.array(DiscardedGroup) },
      },
    },
    async (request, reply) => {
      const rows = await listDiscards(context.db, request.params.applicationId)
      const numbered = rows.map((row, place) => ({ row, id: place + 1 }))
      const page = cutPage(numbered, request.query, ({ id }) => id)
      return sendPage(request, reply, baseUrl, page).map(({ row }) => toDiscardedGroup(row))
    },
  )

  app.delete(
    '/v1/applications/:applicationId/discardedGroups/:key',
    {
      config: { role: 'developer', action: 'crashGroup.undiscard' },
      onRequest,
      schema: {
        tags,
        summary: 'Count the crashes of a discarded group again',
        operationId: 'restoreDiscardedGroup',
        errors: ['applicationNotFound', 'discardedGroupNotFound'],
        params: ofApplication.extend({ key: DiscardedGroup.shape.key.max(200) }),
        response: { 204: z.undefined() },
      },
    },
    async ({ params: { applicationId, key } }, reply) => {
      if (!(await deleteDiscard(context.db, applicationId, key))) throw new ApiError('discardedGroupNotFound')
      return reply.code(204).send()
    },
  )

  app.get(
    '/v1/applications/:applicationId/crashIntake',
    {
      config,
      onRequest,
      schema: {
        tags,
        summary: 'See what crash intake has yet to read',
        operationId: 'getCrashIntake',
        errors: ['applicationNotFound'],
        params,
        response: { 200: CrashIntake },
      },
    },
    ({ params }) => describeIntake(context, params.applicationId),
  )

  app.get(
    '/v1/applications/:applicationId/stability',
    {
      config,
      onRequest,
      schema: {
        tags,
        summary: 'List crash-free rates by day and release',
        operationId: 'listStability',
        errors: ['applicationNotFound'],
        params,
        querystring: StabilityQuery.extend(Page.shape).strict(),
        response: { 200: z.array(Stability) },
      },
    },
    async (request, reply) => {
      const { query, params } = request
      const days = await listStability(context, params.applicationId, query)
      const numbered = days.map((day, place) => ({ day, id: place + 1 }))
      const page = cutPage(numbered, query, ({ id }) => id)
      return sendPage(request, reply, baseUrl, page).map(({ day }) => day)
    },
  )

  app.get(
    '/v1/applications/:applicationId/missingSymbols',
    {
      config,
      onRequest,
      schema: {
        tags,
        summary: 'List the symbols that crashes wait for',
        operationId: 'listMissingSymbols',
        errors: ['applicationNotFound'],
        params,
        querystring: MissingSymbolsQuery.extend(Page.shape).strict(),
        response: { 200: z.array(MissingSymbols) },
      },
    },
    async (request, reply) => {
      const { applicationId } = request.params
      // Symbols of the same app on the other platform count for both, so what that one lacks is listed as well.
      const application = await findApplicationOfCrashes(context.db, applicationId)
      const owners = application?.symbolsOwnerIds ?? [applicationId]
      const missing = await listMissingSymbols(context.db, owners, request.query.crashGroupId)
      const page = cutPage(
        missing.map((one, place) => ({ one, id: place + 1 })),
        request.query,
        ({ id }) => id,
      )
      return sendPage(request, reply, baseUrl, page).map(({ one }) => one)
    },
  )

  app.get(
    '/v1/applications/:applicationId/crashRules',
    {
      config,
      onRequest,
      schema: {
        tags,
        summary: 'Get the grouping rules',
        operationId: 'getCrashRules',
        errors: ['applicationNotFound'],
        params,
        response: { 200: CrashRules },
      },
    },
    async ({ params }) => ({ rules: await findRules(context.db, params.applicationId) }),
  )

  app.put(
    '/v1/applications/:applicationId/crashRules',
    {
      config: { role: 'developer', action: 'crashRules.update' },
      onRequest,
      schema: {
        tags,
        summary: 'Replace the grouping rules; all stacks are grouped again',
        operationId: 'replaceCrashRules',
        errors: ['applicationNotFound'],
        params,
        body: CrashRules,
        response: { 200: CrashRules },
      },
    },
    ({ params, body }) => replaceRules(context, params.applicationId, body),
  )

  app.delete(
    '/v1/applications/:applicationId/crashes',
    {
      config: { role: 'admin', action: 'crash.deleteByInstall' },
      onRequest,
      schema: {
        tags,
        summary: 'Delete the crashes of one installation',
        operationId: 'deleteCrashesOfInstall',
        errors: ['applicationNotFound'],
        params,
        querystring: InstallQuery,
        response: { 204: z.undefined() },
      },
    },
    async ({ params, query }, reply) => {
      await removeInstallOf(context, params.applicationId, query.installId)
      return reply.code(204).send()
    },
  )
}
