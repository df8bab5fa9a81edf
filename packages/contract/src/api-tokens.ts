import { z } from 'zod'
import { Id, Instant, Label, Role } from './values.ts'

export const ApiToken = z
  .object({
    id: Id,
    name: z.string(),
    role: Role,
    /** Who made it; null for the tokens of the first start. */
    createdBy: z.string().nullable(),
    createdDate: Instant,
    expirationDate: Instant.nullable(),
    lastUsedDate: Instant.nullable(),
  })
  .meta({ id: 'ApiToken' })
export type ApiToken = z.infer<typeof ApiToken>

/** The only response that contains the token itself. */
export const CreatedApiToken = ApiToken.extend({ token: z.string() }).meta({ id: 'CreatedApiToken' })
export type CreatedApiToken = z.infer<typeof CreatedApiToken>

export const CreateApiToken = z.object({
  name: Label,
  role: Role,
  expirationDate: z.iso.datetime({ offset: true }).nullish(),
})
export type CreateApiToken = z.infer<typeof CreateApiToken>

/** Prefix `fl_`, by which secret scanners recognise tokens, and at least 32 characters of base64url. */
export const tokenPattern = /^fl_[A-Za-z0-9_-]{32,200}$/
