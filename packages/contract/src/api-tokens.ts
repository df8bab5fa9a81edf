import { z } from 'zod'
import { Id, Instant, Label, Role } from './values.ts'
import { text } from './text.ts'

export const ApiToken = z
  .object({
    id: Id,
    name: text('CI of Lighthouse'),
    role: Role,
    /** Who made it; null for the tokens of the first start. */
    createdBy: text('mara@example.com').nullable(),
    /** The account that made it; null for a token that another token or the server made. */
    createdByAccountId: Id.nullable(),
    createdDate: Instant,
    expirationDate: Instant.meta({ examples: ['2027-02-19T09:30:00.000Z'] }).nullable(),
    lastUsedDate: Instant.nullable(),
  })
  .meta({ id: 'ApiToken' })
export type ApiToken = z.infer<typeof ApiToken>

/** The only response that contains the token itself. */
export const CreatedApiToken = ApiToken.extend({
  token: text('fl_x3Vt9QmZ7bKd2Rw5HnLs8YcJf1PgA4Ue'),
}).meta({ id: 'CreatedApiToken' })
export type CreatedApiToken = z.infer<typeof CreatedApiToken>

export const CreateApiToken = z.object({
  name: Label.meta({ examples: ['CI of Lighthouse'] }),
  role: Role,
  expirationDate: z.iso
    .datetime({ offset: true })
    .nullish()
    .meta({ examples: ['2027-02-19T09:30:00.000Z'] }),
})
export type CreateApiToken = z.infer<typeof CreateApiToken>

/** Prefix `fl_`, by which secret scanners recognise tokens, and at least 32 characters of base64url. */
export const tokenPattern = /^fl_[A-Za-z0-9_-]{32,200}$/
