import { z } from 'zod'
import { Id, Instant, Label, Role } from './values.ts'

export const ApiToken = z
  .object({
    id: Id,
    name: z.string(),
    role: Role,
    createdDate: Instant,
    expirationDate: Instant.nullable(),
    lastUsedDate: Instant.nullable(),
  })
  .meta({ id: 'ApiToken' })
export type ApiToken = z.infer<typeof ApiToken>

/** The one answer that holds the token itself. */
export const CreatedApiToken = ApiToken.extend({ token: z.string() }).meta({ id: 'CreatedApiToken' })
export type CreatedApiToken = z.infer<typeof CreatedApiToken>

export const CreateApiToken = z.object({
  name: Label,
  role: Role,
  expirationDate: z.iso.datetime({ offset: true }).nullish(),
})
export type CreateApiToken = z.infer<typeof CreateApiToken>

/** `fl_` lets secret scanners find it; the rest is at least 32 characters of base64url. */
export const tokenPattern = /^fl_[A-Za-z0-9_-]{32,200}$/
