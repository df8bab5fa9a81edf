import { z } from 'zod'
import { Id, Instant, Page, Role } from './values.ts'
import { ApiToken } from './api-tokens.ts'
import { text } from './text.ts'

/** A signed-in browser of the account. */
export const OpenSession = z
  .object({
    id: Id,
    isCurrent: z.boolean(),
    /** `password`, or the key of the provider. */
    signedInBy: text('password'),
    /** IP address and User-Agent of the sign-in; null for sessions from before they were kept. */
    address: text('203.0.113.7').nullable(),
    userAgent: text('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0').nullable(),
    createdDate: Instant,
    lastUsedDate: Instant,
    expirationDate: Instant.meta({ examples: ['2027-02-19T09:30:00.000Z'] }),
  })
  .meta({ id: 'OpenSession' })
export type OpenSession = z.infer<typeof OpenSession>

/** Two-factor sign-in of the account. */
export const TwoFactor = z
  .object({
    isEnabled: z.boolean().meta({ examples: [true] }),
    enabledDate: Instant.nullable(),
    recoveryCodesLeft: z.int().meta({ examples: [8] }),
  })
  .meta({ id: 'TwoFactor' })
export type TwoFactor = z.infer<typeof TwoFactor>

/** Starts the set-up of an authenticator app. */
export const StartTwoFactor = z.object({
  password: text('correct horse battery').max(200),
})
export type StartTwoFactor = z.infer<typeof StartTwoFactor>

/** The key for an authenticator app: `uri` as a QR code, or `secret` (base32) typed in. */
export const TwoFactorSecret = z
  .object({
    secret: text('JBSWY3DPEHPK3PXP'),
    uri: text('otpauth://totp/Fairlead:mara%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Fairlead'),
  })
  .meta({ id: 'TwoFactorSecret' })
export type TwoFactorSecret = z.infer<typeof TwoFactorSecret>

export const ConfirmTwoFactor = z.object({
  code: text('492817').max(100),
})
export type ConfirmTwoFactor = z.infer<typeof ConfirmTwoFactor>

/** The only response that contains the recovery codes. Each signs in once in place of a code of the app. */
export const RecoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()).meta({ examples: [['4f7k-92mx-ptq3', 'c8wd-1zr5-hn6v']] }) })
  .meta({ id: 'RecoveryCodes' })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** Password and code, for turning two-factor sign-in off or making new recovery codes. */
export const ProveIdentity = z.object({
  password: text('correct horse battery').max(200),
  code: text('492817').max(100),
})
export type ProveIdentity = z.infer<typeof ProveIdentity>

/** Who did what, from where. Kept for a year. */
export const AuditEvent = z
  .object({
    id: Id,
    /** Such as `apiToken.create`: the resource and what was done to it. */
    action: text('build.upload'),
    actor: z.object({
      kind: z.enum(['account', 'token', 'unknown']).meta({ examples: ['token'] }),
      id: Id.nullable(),
      name: text('CI of Lighthouse'),
    }),
    /** The IP address of the client. */
    address: text('203.0.113.7').nullable(),
    /** Path of the request, in which secrets are masked. */
    target: text('/v2/builds').nullable(),
    details: z.record(z.string(), z.unknown()).meta({ examples: [{ alias: 'lighthouse' }] }),
    createdDate: Instant,
  })
  .meta({ id: 'AuditEvent' })
export type AuditEvent = z.infer<typeof AuditEvent>

export const ListAuditEvents = Page.extend({
  action: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'An action, or the resource before its dot', examples: ['build.upload'] }),
})
export type ListAuditEvents = z.infer<typeof ListAuditEvents>

/** The state of a build's install link. */
export const InstallLink = z
  .object({
    installUrl: text('https://fairlead.example.com/install/Zk3v8QmT1yXw5RbN7cHs2LdPf9JgA4Ue6VtKoBi0MnE'),
    expirationDate: Instant.meta({ examples: ['2027-02-19T09:30:00.000Z'] }),
    isRevoked: z.boolean(),
    hasPassword: z.boolean(),
  })
  .meta({ id: 'InstallLink' })
export type InstallLink = z.infer<typeof InstallLink>

/** Fields that are left out stay as they are. A null password opens the link to everybody who has it. */
export const UpdateInstallLink = z.object({
  expirationDate: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ examples: ['2027-02-19T09:30:00.000Z'] }),
  isRevoked: z.boolean().optional(),
  password: text('harbor').min(4).max(200).nullable().optional(),
})
export type UpdateInstallLink = z.infer<typeof UpdateInstallLink>

/** An account of the server, for its administrators. */
export const ServerAccount = z
  .object({
    id: Id,
    email: text('mara@example.com'),
    name: text('Mara Lindqvist'),
    isServerAdmin: z.boolean(),
    isVerified: z.boolean().meta({ examples: [true] }),
    hasTwoFactor: z.boolean(),
    /** A disabled account has no sessions, and cannot sign in by any way. */
    isDisabled: z.boolean().meta({ examples: [false] }),
    /** The providers that the account can sign in through. */
    providers: z.array(text('corp')),
    createdDate: Instant,
    /** Null when the account has no session. */
    lastUsedDate: Instant.nullable(),
    /** Without any, the account is closed. */
    workspaces: z.array(
      z.object({
        id: Id,
        name: text('Harbour Apps'),
        role: Role,
      }),
    ),
  })
  .meta({ id: 'ServerAccount' })
export type ServerAccount = z.infer<typeof ServerAccount>

/** Fields that are left out stay as they are. */
export const UpdateServerAccount = z.object({
  isDisabled: z
    .boolean()
    .optional()
    .meta({ examples: [true] }),
  /** Revokes the API tokens that the person made, in every workspace. */
  revokeTokens: z.boolean().optional(),
})
export type UpdateServerAccount = z.infer<typeof UpdateServerAccount>

/** An API token that a person made, with its workspace. */
export const ServerApiToken = ApiToken.extend({
  workspace: z.object({ id: Id, name: text('Harbour Apps') }),
}).meta({ id: 'ServerApiToken' })
export type ServerApiToken = z.infer<typeof ServerApiToken>

/** A workspace of the server with what it uses, for the administrators of the server. */
export const ServerWorkspace = z
  .object({
    id: Id,
    name: text('Harbour Apps'),
    createdDate: Instant,
    memberCount: z.int().meta({ examples: [9] }),
    buildCount: z.int().meta({ examples: [128] }),
    /** Bytes of builds and symbols, counted without deduplication. */
    size: z.int().meta({ examples: [24117248] }),
    mailsLastHour: z.int().meta({ examples: [14] }),
    quotas: z.object({
      maxBytes: z
        .int()
        .nullable()
        .meta({ examples: [107374182400] }),
      maxBuilds: z
        .int()
        .nullable()
        .meta({ examples: [5000] }),
      maxMailsPerHour: z.int().meta({ examples: [500] }),
    }),
  })
  .meta({ id: 'ServerWorkspace' })
export type ServerWorkspace = z.infer<typeof ServerWorkspace>
