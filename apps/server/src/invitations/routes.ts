import {
  AcceptInvitation,
  ApiError,
  CreateInvitation,
  Invitation,
  InvitationPreview,
  Page,
  Session,
} from '@fairlead/contract'
import { z } from 'zod'
import { findAccountByEmail } from '../accounts/find.ts'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { giveSession, toClient } from '../sessions/cookie.ts'
import { acceptInvitation } from './accept.ts'
import { createInvitation } from './create.ts'
import { toInvitation } from './invitation.ts'
import { deleteInvitation, listInvitations, requireInvitation } from './store.ts'

const tags = ['Invitations']

/** Adds the routes for invited people, who authenticate with the link's token only. */
export function addInvitedRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/invitations/preview',
    {
      schema: {
        tags,
        summary: 'Preview an invitation',
        errors: ['invitationNotFound'],
        security: [],
        querystring: z.object({
          token: z
            .string()
            .max(200)
            .meta({ examples: ['q7Jx2Vw9Lk4Rb8Tz1Hn6Cm3Yd5Sf0Pg7Ae2Ui4Ok9XsM'] }),
        }),
        response: { 200: InvitationPreview },
      },
    },
    async (request) => {
      const { email, role, workspace_name, isMailed } = await requireInvitation(context.db, request.query.token)
      const account = isMailed ? await findAccountByEmail(context, email) : undefined
      // An account that nobody has verified is taken over by the owner of the address, who then chooses a password.
      const hasAccount = isMailed ? account !== undefined && account.verified_at !== null : null
      return { email, role, workspaceName: workspace_name, hasAccount }
    },
  )

  app.post(
    '/v1/invitations/accept',
    {
      config: { action: 'member.join' },
      schema: {
        tags,
        summary: 'Accept an invitation',
        errors: [
          'wrongCredentials',
          'invitationNotFound',
          'emailTaken',
          'twoFactorCode',
          'passwordsOff',
          'accountDisabled',
          'tooManyRequests',
        ],
        security: [],
        body: AcceptInvitation,
        response: { 201: Session },
      },
    },
    async (request, reply) => {
      const started = await acceptInvitation(context, request.body, toClient(request))
      request.auditedAccount = started.session.account
      request.auditedWorkspaceId = started.workspaceId
      return reply.code(201).send(giveSession(reply, context.config, started))
    },
  )
}

export function addInvitationRoutes(app: App, context: AppContext): void {
  app.get(
    '/v1/invitations',
    {
      config: { role: 'admin' },
      schema: {
        tags,
        summary: 'List the open invitations',
        operationId: 'listInvitations',
        querystring: Page,
        response: { 200: z.array(Invitation) },
      },
    },
    async (request, reply) => {
      const rows = await listInvitations(context.db, request.caller.workspaceId)
      const page = cutPage(rows, request.query, (row) => row.id)
      return sendPage(request, reply, context.config.baseUrl, page).map((row) => toInvitation(row, null))
    },
  )

  app.post(
    '/v1/invitations',
    {
      config: { role: 'admin', action: 'invitation.create' },
      schema: {
        tags,
        summary: 'Invite a person; only this answer contains the link',
        operationId: 'createInvitation',
        errors: ['alreadyMember', 'tooManyMails'],
        body: CreateInvitation,
        response: { 201: Invitation },
      },
    },
    async (request, reply) => reply.code(201).send(await createInvitation(context, request.caller, request.body)),
  )

  app.delete(
    '/v1/invitations/:invitationId',
    {
      config: { role: 'admin', action: 'invitation.revoke' },
      schema: {
        tags,
        summary: 'Revoke an invitation',
        errors: ['invitationNotFound'],
        params: z.object({ invitationId: PathId }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const deleted = await deleteInvitation(context.db, request.caller.workspaceId, request.params.invitationId)
      if (!deleted) throw new ApiError('invitationNotFound')
      return reply.code(204).send()
    },
  )
}
