import { z } from 'zod'
import { Id, Instant, Page, Role } from './values.ts'

/** A signed-in browser of the account. */
export const OpenSession = z
  .object({
    id: Id,
    isCurrent: z.boolean(),
    /** IP address and User-Agent of the sign-in; null for sessions from before they were kept. */
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdDate: Instant,
    lastUsedDate: Instant,
    expirationDate: Instant,
  })
  .meta({ id: 'OpenSession' })
export type OpenSession = z.infer<typeof OpenSession>

/** Two-factor sign-in of the account. */
export const TwoFactor = z
  .object({ isEnabled: z.boolean(), enabledDate: Instant.nullable(), recoveryCodesLeft: z.int() })
  .meta({ id: 'TwoFactor' })
export type TwoFactor = z.infer<typeof TwoFactor>

/** Starts the set-up of an authenticator app. */
export const StartTwoFactor = z.object({ password: z.string().max(200) })
export type StartTwoFactor = z.infer<typeof StartTwoFactor>

/** The key for an authenticator app: `uri` as a QR code, or `secret` (base32) typed in. */
export const TwoFactorSecret = z.object({ secret: z.string(), uri: z.string() }).meta({ id: 'TwoFactorSecret' })
export type TwoFactorSecret = z.infer<typeof TwoFactorSecret>

export const ConfirmTwoFactor = z.object({ code: z.string().max(100) })
export type ConfirmTwoFactor = z.infer<typeof ConfirmTwoFactor>

/** The only response that contains the recovery codes. Each signs in once in place of a code of the app. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** Password and code, for turning two-factor sign-in off or making new recovery codes. */
export const ProveIdentity = z.object({ password: z.string().max(200), code: z.string().max(100) })
export type ProveIdentity = z.infer<typeof ProveIdentity>

/** Who did what, from where. Kept for a year. */
export const AuditEvent = z
  .object({
    id: Id,
    /** Such as `apiToken.create`: the resource and what was done to it. */
    action: z.string(),
    actor: z.object({
      kind: z.enum(['account', 'token', 'unknown']),
      id: Id.nullable(),
      name: z.string(),
    }),
    /** The IP address of the client. */
    address: z.string().nullable(),
    /** Path of the request, in which secrets are masked. */
    target: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    createdDate: Instant,
  })
  .meta({ id: 'AuditEvent' })
export type AuditEvent = z.infer<typeof AuditEvent>

export const ListAuditEvents = Page.extend({
  action: z.string().max(100).optional().meta({ description: 'An action, or the resource before its dot' }),
})
export type ListAuditEvents = z.infer<typeof ListAuditEvents>

/** The state of a build's install link. */
export const InstallLink = z
  .object({ installUrl: z.string(), expirationDate: Instant, isRevoked: z.boolean(), hasPassword: z.boolean() })
  .meta({ id: 'InstallLink' })
export type InstallLink = z.infer<typeof InstallLink>

/** Fields that are left out stay as they are. A null password opens the link to everybody who has it. */
export const UpdateInstallLink = z.object({
  expirationDate: z.iso.datetime({ offset: true }).optional(),
  isRevoked: z.boolean().optional(),
  password: z.string().min(4).max(200).nullable().optional(),
})
export type UpdateInstallLink = z.infer<typeof UpdateInstallLink>

/** An account of the server, for its administrators. */
export const ServerAccount = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    isServerAdmin: z.boolean(),
    isVerified: z.boolean(),
    hasTwoFactor: z.boolean(),
    createdDate: Instant,
    /** Null when the account has no session. */
    lastUsedDate: Instant.nullable(),
    /** Without any, the account is closed. */
    workspaces: z.array(z.object({ id: Id, name: z.string(), role: Role })),
  })
  .meta({ id: 'ServerAccount' })
export type ServerAccount = z.infer<typeof ServerAccount>

/** A workspace of the server with what it uses, for the administrators of the server. */
export const ServerWorkspace = z
  .object({
    id: Id,
    name: z.string(),
    createdDate: Instant,
    memberCount: z.int(),
    buildCount: z.int(),
    /** Bytes of builds and symbols, counted without deduplication. */
    size: z.int(),
    mailsLastHour: z.int(),
    quotas: z.object({
      maxBytes: z.int().nullable(),
      maxBuilds: z.int().nullable(),
      maxMailsPerHour: z.int(),
    }),
  })
  .meta({ id: 'ServerWorkspace' })
export type ServerWorkspace = z.infer<typeof ServerWorkspace>
