import { z } from 'zod'
import { toCleanName } from './shown-characters.ts'
import { text } from './text.ts'

export const Platform = z.enum(['android', 'ios'])
export type Platform = z.infer<typeof Platform>

/** Roles of a token or a member; each role includes the rights of those before it. */
export const roles = ['viewer', 'developer', 'admin'] as const
export const Role = z.enum(roles).meta({ examples: ['developer'] })
export type Role = z.infer<typeof Role>

export const Id = z
  .int()
  .positive()
  .meta({ examples: [21] })

/** Timestamp in ISO 8601, in UTC with milliseconds. */
export const Instant = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-11-21T09:30:00.000Z'] })

export const Email = z
  .email()
  .max(254)
  .meta({ examples: ['mara@example.com'] })

/** One line of text entered by people: trimmed, not empty, without control characters and direction overrides. */
export const Label = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => toCleanName(text) === text, 'must not contain control characters or direction overrides')

export const Sha256 = text('3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea').regex(/^[0-9a-f]{64}$/)

/** Query parameters for paging, which every list accepts. Without them, a list is complete. */
export const Page = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .optional()
    .meta({ examples: [50] }),
  /** Keyset cursor: the decimal id below which the next page starts. */
  cursor: text('412')
    .regex(/^[1-9]\d{0,14}$/, 'is not a cursor of this list')
    .transform(Number)
    .optional(),
})
export type Page = z.infer<typeof Page>

/** Pages of lists that are not ordered by id. Their cursor holds the place of the last item in the order. */
export const OrderedPage = Page.extend({
  cursor: text('412')
    .regex(/^[\w.+~-]{1,100}$/, 'is not a cursor of this list')
    .optional(),
})
export type OrderedPage = z.infer<typeof OrderedPage>
