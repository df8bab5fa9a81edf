import {
  Crash,
  CrashGroup,
  CrashGroupQuery,
  CrashGroupStatistics,
  CrashIntake,
  CrashRules,
  CrashSummary,
  InstallQuery,
  MergeCrashGroups,
  MissingSymbols,
  Page,
  SplitCrashGroup,
  Stability,
  StabilityQuery,
  UpdateCrashGroup,
} from '@fairlead/contract'
import { z } from 'zod'
import { requireApplication } from '../applications/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { toCrashSummary } from './crash.ts'
import { describeGroup, listCrashGroups, listStability, requireCrash, requireCrashGroup } from './find.ts'
import { requireGroupRow } from './groups-store.ts'
import { describeIntake } from './intake-state.ts'
import { listGroupCrashes, listMissingSymbols } from './list-store.ts'
import { mergeGroups, splitGroup } from './merge-groups.ts'
import { removeInstallOf } from './remove-install.ts'
import { toReportText } from './report-text.ts'
import { findRules } from './rules-store.ts'
import { replaceRules } from './replace-rules.ts'
import { updateCrashGroup } from './update-group.ts'

const tags = ['Crashes']
const ofApplication = z.object({ applicationId: PathId })
const ofGroup = z.object({ crashGroupId: PathId })
const ofCrash = z.object({ crashId: PathId })

export function addCrashRoutes(app: App, context: AppContext): void {
  addApplicationCrashRoutes(app, context)
  addGroupRoutes(app, context)
  addSingleCrashRoutes(app, context)
}

function addApplicationCrashRoutes(app: App, context: AppContext): void {
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
      const page = await listCrashGroups(context, request.params.applicationId, request.query)
      return sendPage(request, reply, baseUrl, page)
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
        querystring: StabilityQuery.extend(Page.shape),
        response: { 200: z.array(Stability) },
      },
    },
    async (request, reply) => {
      const { query, params } = request
      const days = await listStability(context, params.applicationId, query.version)
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
        querystring: Page,
        response: { 200: z.array(MissingSymbols) },
      },
    },
    async (request, reply) => {
      const missing = await listMissingSymbols(context.db, request.params.applicationId)
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
      config: { role: 'developer' },
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
      config: { role: 'admin' },
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

function addGroupRoutes(app: App, context: AppContext): void {
  const { baseUrl } = context.config
  const onRequest = checkExists('crashGroupId', (workspaceId, id) => requireGroupRow(context.db, workspaceId, id))
  const params = ofGroup

  app.get(
    '/v1/crashGroups/:crashGroupId',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Get a crash group; one whose crashes moved redirects',
        operationId: 'getCrashGroup',
        errors: ['crashGroupNotFound'],
        params,
        response: { 200: CrashGroup, 301: z.undefined() },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const row = await requireGroupRow(context.db, caller.workspaceId, params.crashGroupId)
      if (row.redirect_id !== null) return reply.redirect(`${baseUrl}/v1/crashGroups/${row.redirect_id}`, 301)
      return requireCrashGroup(context, caller.workspaceId, row.id)
    },
  )

  app.patch(
    '/v1/crashGroups/:crashGroupId',
    {
      config: { role: 'developer' },
      onRequest,
      schema: {
        tags,
        summary: 'Change a crash group',
        operationId: 'updateCrashGroup',
        errors: ['crashGroupNotFound'],
        params,
        body: UpdateCrashGroup,
        response: { 200: CrashGroup },
      },
    },
    ({ caller, params, body }) => updateCrashGroup(context, caller.workspaceId, params.crashGroupId, body),
  )

  app.get(
    '/v1/crashGroups/:crashGroupId/crashes',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'List the crashes of a group',
        errors: ['crashGroupNotFound'],
        params,
        querystring: Page,
        response: { 200: z.array(CrashSummary) },
      },
    },
    async (request, reply) => {
      const group = await requireGroupRow(context.db, request.caller.workspaceId, request.params.crashGroupId)
      const page = await listGroupCrashes(context.db, group, request.query)
      return sendPage(request, reply, baseUrl, page).map(toCrashSummary)
    },
  )

  app.get(
    '/v1/crashGroups/:crashGroupId/statistics',
    {
      config: { role: 'viewer' },
      schema: {
        tags,
        summary: 'Count the crashes of a group by day, release, system and device',
        operationId: 'getCrashGroupStatistics',
        errors: ['crashGroupNotFound'],
        params,
        response: { 200: CrashGroupStatistics },
      },
    },
    async ({ caller, params }) =>
      describeGroup(context, await requireGroupRow(context.db, caller.workspaceId, params.crashGroupId)),
  )

  app.post(
    '/v1/crashGroups/:crashGroupId/merge',
    {
      config: { role: 'developer' },
      onRequest,
      schema: {
        tags,
        summary: 'Merge groups into this one',
        operationId: 'mergeCrashGroups',
        errors: ['crashGroupNotFound'],
        params,
        body: MergeCrashGroups,
        response: { 200: CrashGroup },
      },
    },
    ({ caller, params, body }) => mergeGroups(context, caller.workspaceId, params.crashGroupId, body.groupIds),
  )

  app.post(
    '/v1/crashGroups/:crashGroupId/split',
    {
      config: { role: 'developer' },
      onRequest,
      schema: {
        tags,
        summary: 'Move stacks into a new group',
        operationId: 'splitCrashGroup',
        errors: ['crashGroupNotFound'],
        params,
        body: SplitCrashGroup,
        response: { 200: CrashGroup },
      },
    },
    ({ caller, params, body }) => splitGroup(context, caller.workspaceId, params.crashGroupId, body.stackIds),
  )
}

function addSingleCrashRoutes(app: App, context: AppContext): void {
  const config = { role: 'viewer' } as const
  const params = ofCrash

  app.get(
    '/v1/crashes/:crashId',
    { config, schema: { tags, summary: 'Get a crash', errors: ['crashNotFound'], params, response: { 200: Crash } } },
    ({ caller, params }) => requireCrash(context, caller.workspaceId, params.crashId),
  )

  app.get(
    '/v1/crashes/:crashId/report',
    {
      config,
      schema: {
        tags,
        summary: 'Get a crash as text',
        operationId: 'getCrashReport',
        errors: ['crashNotFound'],
        params,
        text: 'text/plain',
      },
    },
    async ({ caller, params }, reply) => {
      const crash = await requireCrash(context, caller.workspaceId, params.crashId)
      return reply.type('text/plain; charset=utf-8').serializer(String).send(toReportText(crash))
    },
  )
}
