import { z } from 'zod'
import { text } from './text.ts'
import { Id, Instant, Role } from './values.ts'

/** The key of an OpenID provider in the settings of the server. */
export const ProviderKey = text('corp').regex(/^[a-z0-9-]{1,32}$/)

/** The ways to sign in to a server, for pages that nobody has signed in to yet. */
export const SignInOptions = z
  .object({
    /** `server-admins`: passwords work for administrators of the server only. */
    passwords: z.enum(['on', 'server-admins']).meta({ examples: ['on'] }),
    providers: z.array(
      z.object({
        key: ProviderKey,
        name: text('Corp'),
        /** The address that begins a sign-in; `?returnTo=/path` names the page that it ends at. */
        startUrl: text('https://fairlead.example.com/sign-in/oidc/corp'),
      }),
    ),
  })
  .meta({ id: 'SignInOptions' })
export type SignInOptions = z.infer<typeof SignInOptions>

/** A sign-in through a provider whose address belongs to an account, and which waits for that account's password. */
export const PendingLink = z
  .object({
    provider: ProviderKey,
    providerName: text('Corp'),
    email: text('mara@example.com'),
    /** The path that the sign-in ends at. */
    returnTo: text('/applications'),
    /** Whether the account has a password that could prove it. */
    hasPassword: z.boolean().meta({ examples: [true] }),
  })
  .meta({ id: 'PendingLink' })
export type PendingLink = z.infer<typeof PendingLink>

/** Proves that the account belongs to the person who has just signed in through the provider. */
export const LinkAccount = z.object({
  password: text('correct horse battery').max(200),
  code: text('492817').max(100).optional(),
})
export type LinkAccount = z.infer<typeof LinkAccount>

/** A person at a provider who may sign in to the account. */
export const Identity = z
  .object({
    id: Id,
    provider: ProviderKey,
    /** The name of the provider; its key when the server does not have it any more. */
    providerName: text('Corp'),
    /** The address that the provider told last. It identifies nobody. */
    email: text('mara@example.com').nullable(),
    createdDate: Instant,
    lastUsedDate: Instant,
  })
  .meta({ id: 'Identity' })
export type Identity = z.infer<typeof Identity>

export const StartLink = z.object({
  provider: ProviderKey,
  returnTo: text('/account').max(2000).optional(),
})
export type StartLink = z.infer<typeof StartLink>

/** The page of the provider at which the person signs in. */
export const StartedLink = z
  .object({ url: text('https://login.example.com/authorize?client_id=fairlead&state=Zk3v8QmT1yXw') })
  .meta({ id: 'StartedLink' })
export type StartedLink = z.infer<typeof StartedLink>

/** What members of a provider's group are in the workspace. The highest role of a person's groups counts. */
export const GroupRole = z
  .object({
    provider: ProviderKey,
    /** As the provider sends it: a name, or an id. */
    group: text('mobile-developers')
      .min(1)
      .max(300)
      .refine((group) => !/\p{Cc}/u.test(group), 'must not contain control characters'),
    role: Role,
  })
  .meta({ id: 'GroupRole' })
export type GroupRole = z.infer<typeof GroupRole>

export const GroupRoles = z.array(GroupRole).max(200)
export type GroupRoles = z.infer<typeof GroupRoles>

/** A provider of the server, for administrators of the server. */
export const ServerProvider = z
  .object({
    key: ProviderKey,
    name: text('Corp'),
    issuer: text('https://login.example.com'),
    domains: z.array(text('example.com')),
    createAccounts: z.boolean(),
    linkByEmail: z.boolean().meta({ examples: [false] }),
    /** The addresses to register at the provider. */
    callbackUrl: text('https://fairlead.example.com/sign-in/oidc/corp/callback'),
    afterSignOutUrl: text('https://fairlead.example.com/sign-in'),
    backChannelLogoutUrl: text('https://fairlead.example.com/sign-in/oidc/corp/backChannelLogout'),
    /** Whether its configuration could be read just now. */
    isReachable: z.boolean(),
    /** Why not. */
    error: text('getaddrinfo ENOTFOUND login.example.com').nullable(),
    identityCount: z.int().meta({ examples: [48] }),
    lastSignInDate: Instant.nullable(),
  })
  .meta({ id: 'ServerProvider' })
export type ServerProvider = z.infer<typeof ServerProvider>
