import { randomBytes } from 'node:crypto'
import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { isUniqueViolation } from '../db/unique.ts'
import { toLoggedPath } from '../http/errors.ts'
import { type Finished, finishExchange } from '../oidc/finish.ts'
import type { Provider } from '../oidc/open-providers.ts'
import { ProviderError } from '../oidc/provider-error.ts'
import { hashSecret } from '../secrets/hash-secret.ts'
import { giveSession, toClient } from '../sessions/cookie.ts'
import { resumeSession } from '../sessions/resume.ts'
import { startSession } from '../sessions/start.ts'
import { toAfterSignOutUrl, toCallbackUrl } from '../links/sign-in-url.ts'
import { type Attempt, attemptLifetime, setLinkCookie, takeAttempt } from './cookies.ts'
import type { Entry } from './enter.ts'
import { identifyPerson, type Outcome } from './identify.ts'
import { linkSignedIn } from './link-signed-in.ts'
import { recordEntry } from './record-entry.ts'
import { Refusal } from './refusal.ts'
import { insertPendingLink, insertUsedToken } from './store.ts'
import { tellOwner } from './tell-owner.ts'

/**
 * Finishes a sign-in when the person comes back from the provider. Returns the path that the browser goes to.
 *
 * @throws {Refusal}
 */
export async function finishAttempt(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: Provider,
  query: { state: string },
): Promise<string> {
  const attempt = takeAttempt(context, request, reply, { provider: provider.key, state: query.state })
  if (!attempt || !(await isFirstUse(context.db, attempt))) throw new Refusal('state')
  const finished = await redeem(context, request, provider, attempt)
  const outcome = await identify(context, request, reply, { provider, attempt, finished })
  if (outcome.kind === 'entered') {
    await startProviderSession(context, request, reply, { entry: outcome.entry, finished })
    return attempt.returnTo
  }
  const token = randomBytes(32).toString('base64url')
  const { person, providerSession, logoutUrl } = finished
  const { issuer, subject, emailIsVerified, groups } = person
  const { returnTo } = attempt
  const content = { provider: provider.key, issuer, subject, emailIsVerified, groups, providerSession, logoutUrl }
  await insertPendingLink(
    context.db,
    outcome.account.id,
    { ...content, email: outcome.email, returnTo },
    { tokenHash: hashSecret(token), expiresAt: Date.now() + attemptLifetime },
  )
  setLinkCookie(context, reply, token)
  return '/sign-in/link'
}

/** Gives the browser a session of an account that has been identified. */
export async function startProviderSession(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { entry, finished }: { entry: Entry; finished: Pick<Finished, 'providerSession' | 'logoutUrl'> },
): Promise<ReturnType<typeof giveSession>> {
  const { account, identity } = entry
  const { providerSession, logoutUrl } = finished
  const through = { provider: identity.provider, identityId: identity.id, providerSession, logoutUrl }
  const started = await startSession(context, account, toClient(request), through).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'accountClosed') throw new Refusal('noAccess')
    if (error instanceof ApiError && error.code === 'accountDisabled') throw new Refusal('disabled')
    throw error
  })
  await recordEntry(context, entry, { address: request.ip, target: toLoggedPath(request.url) })
  return giveSession(reply, context.config, started)
}

/** A state works once, also for somebody who kept its cookie. */
async function isFirstUse(db: Db, { state, startedAt }: Attempt): Promise<boolean> {
  return insertUsedToken(db, hashSecret(`state ${state}`), startedAt + attemptLifetime)
}

async function redeem(context: AppContext, request: FastifyRequest, provider: Provider, attempt: Attempt) {
  const { config, log } = context
  // Behind a proxy the Host header may be another one than the provider knows.
  const url = new URL(toCallbackUrl(config, provider.key))
  url.search = request.url.slice(request.url.indexOf('?'))
  try {
    return await finishExchange(provider, url, attempt, toAfterSignOutUrl(config))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ provider: provider.key, reason: error.message }, 'a sign-in through a provider failed')
    throw new Refusal(error.code, error.message)
  }
}

interface Redeemed {
  provider: Provider
  attempt: Attempt
  finished: Finished
}

async function identify(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, attempt, finished }: Redeemed,
): Promise<Outcome> {
  const { accountId } = attempt
  if (accountId !== null) {
    const signedIn = await resumeSession(context, request, reply)
    if (signedIn?.account.id !== accountId) throw new Refusal('state')
  }
  const run = () =>
    transact(context.db, async (trx): Promise<Outcome> => {
      const outcome: Outcome =
        accountId === null
          ? await identifyPerson(trx, provider, finished.person)
          : { kind: 'entered', entry: await linkSignedIn(trx, provider, finished.person, accountId) }
      if (outcome.kind === 'entered') await tellOwner({ ...context, db: trx }, provider, outcome.entry)
      return outcome
    })
  const outcome = await run().catch((error: unknown) => {
    // Two tabs of a new person came back at once: the account is there now.
    if (isUniqueViolation(error) || (error instanceof ApiError && error.code === 'emailTaken')) return run()
    throw error
  })
  context.jobs.wake()
  return outcome
}
