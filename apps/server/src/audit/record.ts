import type { AuditEvent } from '@fairlead/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { toLoggedPath } from '../http/errors.ts'
import { toDetails } from './details.ts'
import { insertAuditEvents, listWorkspacesOf } from './store.ts'
import { toJsonText } from '../db/json-text.ts'

type Context = Pick<AppContext, 'db' | 'log'>

/** An account's own actions, such as sign-ins, are recorded in this many of its workspaces at most. */
const workspaceLimit = 50

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface Actor {
  kind: 'account' | 'token' | 'unknown'
  id: number | null
  name: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The name of what a writing route does in the audit log, such as `apiToken.create`; null if its requests are not
     * recorded. Every writing route of the server has one; see `requireActions`.
     */
    action?: string | null
  }
  interface FastifyRequest {
    /** Set by routes whose caller is not known from a token or a session: the account, and its name. */
    auditedAccount?: { id: number; name: string }
    /** Set by routes of accounts whose action concerns one workspace, so that no other one learns of it. */
    auditedWorkspaceId?: number
    /** Set by routes that record only some of their requests, for a request that is not recorded. */
    isUnrecorded?: boolean
    /** Set by routes whose answer does not tell what they changed. */
    auditedDetails?: AuditEvent['details']
    /** The answer of a route before it became JSON. */
    auditedAnswer?: unknown
  }
}

/**
 * Refuses each writing route of the application that does not say what it is in the audit log, so that none is
 * forgotten, whichever scope it is in. Call this before adding routes.
 */
export function requireActions(app: App): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    const writes = [method].flat().some((one) => !readMethods.has(one))
    if (writes && config?.action === undefined) {
      throw new Error(`${String(method)} ${url}: its config lacks \`action\`, the name in the audit log or null`)
    }
  })
}

/**
 * Records every successful write of a scope before its answer is sent, so that no answered write is missing from the
 * audit log. See decision 011.
 */
export function recordActions(app: App, context: Context): void {
  app.addHook('preSerialization', (request, _reply, payload: unknown, done) => {
    request.auditedAnswer = payload
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const { action } = request.routeOptions.config
    // Reads are many and record nothing, so they do not wait for a promise.
    if (action === undefined || action === null || reply.statusCode >= 400) done(null, payload)
    else void recordRequest(context, request, action).then(() => done(null, payload), done)
  })
}

async function recordRequest(context: Context, request: FastifyRequest, action: string): Promise<void> {
  if (request.isUnrecorded === true) return
  const who = findActor(request)
  if (!who) return
  await record(context, action, who, {
    address: request.ip,
    target: toLoggedPath(request.url),
    details: { ...toDetails(action, request.body, request.auditedAnswer), ...request.auditedDetails },
  })
}

/** Records an action of an API token that came in another way than by a route with an action. */
export async function recordTokenAction(
  context: Context,
  token: { id: number; name: string; workspaceId: number },
  { action, ...event }: { action: string; address: string; target: string; details: AuditEvent['details'] },
): Promise<void> {
  const actor: Actor = { kind: 'token', id: token.id, name: token.name }
  await record(context, action, { actor, workspaceIds: [token.workspaceId] }, event)
}

/**
 * Records a refused sign-in in the workspaces of the account that was tried. The answer must not wait for the record,
 * because the response time would tell that the account exists.
 */
export function recordRefusedSignIn(
  context: Context,
  accountId: number,
  { email, address }: { email: string; address: string },
): void {
  const actor: Actor = { kind: 'unknown', id: null, name: email.slice(0, 254) }
  const who = { actor, workspaceIds: undefined, accountId }
  void record(context, 'session.refuse', who, { address, target: '/v1/session', details: {} })
}

/** Records an action of an account in all of its workspaces, for actions that no answer of a route tells of. */
export async function recordOfAccount(
  context: Context,
  account: { id: number; name: string },
  { action, ...event }: { action: string; address: string; target: string; details: AuditEvent['details'] },
): Promise<void> {
  const actor: Actor = { kind: 'account', id: account.id, name: account.name }
  await record(context, action, { actor, workspaceIds: undefined }, event)
}

/** Records what an account did in a workspace that it may not be a member of. */
export async function recordByAccount(
  context: Context,
  by: { id: number; name: string },
  workspaceId: number,
  { action, ...event }: { action: string; address: string; target: string; details: AuditEvent['details'] },
): Promise<void> {
  const actor: Actor = { kind: 'account', id: by.id, name: by.name }
  await record(context, action, { actor, workspaceIds: [workspaceId] }, event)
}

/** Records what somebody did to an account, in all workspaces of that account. */
export async function recordOnAccount(
  context: Context,
  by: { id: number; name: string } | null,
  accountId: number,
  { action, ...event }: { action: string; address: string; target: string; details: AuditEvent['details'] },
): Promise<void> {
  const actor: Actor = by
    ? { kind: 'account', id: by.id, name: by.name }
    : { kind: 'unknown', id: null, name: 'Fairlead' }
  await record(context, action, { actor, workspaceIds: undefined, accountId }, event)
}

/** Records what the server did by itself. */
export async function recordByServer(
  context: Context,
  workspaceId: number,
  action: string,
  { target, details }: { target: string; details: AuditEvent['details'] },
): Promise<void> {
  const actor: Actor = { kind: 'unknown', id: null, name: 'Fairlead' }
  await record(context, action, { actor, workspaceIds: [workspaceId] }, { address: null, target, details })
}

/** Records what a tester did, who has no account. */
export async function recordByTester(
  context: Context,
  { workspaceId, email }: { workspaceId: number; email: string },
  { action, ...event }: { action: string; address: string; target: string },
): Promise<void> {
  const actor: Actor = { kind: 'unknown', id: null, name: email.slice(0, 254) }
  await record(context, action, { actor, workspaceIds: [workspaceId] }, { ...event, details: { email } })
}

interface Who {
  actor: Actor
  /** Undefined for all workspaces of the account. */
  workspaceIds: number[] | undefined
  /** The account whose workspaces these are, if it is not the actor. */
  accountId?: number
}

function findActor(request: FastifyRequest): Who | undefined {
  // Their types say that these properties are always set, but each is set in its own scope of routes only.
  const { caller, signedIn, auditedAccount, auditedWorkspaceId } = request as Partial<
    Pick<FastifyRequest, 'caller' | 'auditedAccount' | 'auditedWorkspaceId'> & {
      signedIn: { account: { id: number; name: string } }
    }
  >
  if (caller) {
    const actor: Actor =
      caller.accountId === null
        ? { kind: 'token', id: caller.apiTokenId, name: caller.name }
        : { kind: 'account', id: caller.accountId, name: caller.name }
    return { actor, workspaceIds: [caller.workspaceId] }
  }
  const account = auditedAccount ?? signedIn?.account
  if (!account) return undefined
  const workspaceIds = auditedWorkspaceId === undefined ? undefined : [auditedWorkspaceId]
  return { actor: { kind: 'account', id: account.id, name: account.name }, workspaceIds }
}

/** The action has happened, so a row that cannot be written goes to the server's log, and the caller gets no error. */
async function record(
  { db, log }: Context,
  action: string,
  { actor, workspaceIds, accountId = actor.id ?? 0 }: Who,
  { address, target, details }: { address: string | null; target: string; details: AuditEvent['details'] },
): Promise<void> {
  try {
    const ids = workspaceIds ?? (await listWorkspacesOf(db, accountId, workspaceLimit))
    const event = {
      action,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      address,
      target,
      details: toJsonText(details),
      created_at: Date.now(),
    }
    await insertAuditEvents(
      db,
      ids.map((workspace_id) => ({ workspace_id, ...event })),
    )
  } catch (error) {
    log.error({ err: error, action, actor, address, target }, 'an action could not be recorded in the audit log')
  }
}
