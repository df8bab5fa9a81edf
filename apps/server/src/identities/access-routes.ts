import { LinkAccount, PendingLink, Session, SignInOptions } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { toStartUrl } from '../links/sign-in-url.ts'
import { proveAccount, readPendingLink } from './prove.ts'

const tags = ['Sessions']

/** Adds the routes for people who are about to sign in. */
export function addSignInOptionRoutes(app: App, context: AppContext): void {
  const { config, providers } = context

  app.get(
    '/v1/signInOptions',
    {
      schema: {
        tags,
        summary: 'List the ways to sign in',
        operationId: 'getSignInOptions',
        errors: ['tooManyRequests'],
        security: [],
        response: { 200: SignInOptions },
      },
    },
    async () => ({
      passwords: config.passwordSignIn,
      providers: [...providers.values()].map(({ key, name }) => ({ key, name, startUrl: toStartUrl(config, key) })),
    }),
  )

  app.get(
    '/v1/session/link',
    {
      schema: {
        tags,
        summary: 'Get the sign-in through a provider that waits for the password of its account',
        operationId: 'getPendingLink',
        errors: ['linkExpired'],
        security: [],
        response: { 200: PendingLink },
      },
    },
    (request) => readPendingLink(context, request),
  )

  app.post(
    '/v1/session/link',
    {
      config: { action: null },
      schema: {
        tags,
        summary: 'Prove with the password that the account belongs to the person who signed in through a provider',
        operationId: 'linkAccount',
        errors: ['wrongCredentials', 'linkExpired', 'accountClosed', 'accountDisabled', 'twoFactorCode'],
        security: [],
        body: LinkAccount,
        response: { 201: Session },
      },
    },
    async (request, reply) => reply.code(201).send(await proveAccount(context, request, reply, request.body)),
  )
}
