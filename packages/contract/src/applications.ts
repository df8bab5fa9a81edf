import { z } from 'zod'
import { Id, Instant, Label, Platform } from './values.ts'

export const Alias = z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 of a-z, 0-9 and -')
export const BundleIdentifier = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9._-]+$/, 'must be of letters, digits, dots, underscores and hyphens')

/** A template such as `https://git.example.com/shop/commit/{commit}`. */
const CommitUrl = z
  .string()
  .max(500)
  .regex(/^https?:\/\/[^\s{}]+\{commit\}[^\s{}]*$/, 'must be a web address that holds {commit} once')

export const Application = z
  .object({
    id: Id,
    alias: Alias,
    name: z.string(),
    platform: Platform,
    bundleIdentifier: z.string().nullable(),
    iconUrl: z.string().nullable(),
    createdDate: Instant,
    defaultBranch: z.string().meta({ description: 'Test runs are compared with this branch' }),
    commitUrl: z
      .string()
      .nullable()
      .meta({ description: 'The address of a commit, with `{commit}` where the hash belongs' }),
    buildCount: z.int(),
    latestBuild: z.object({ id: Id, shortVersion: z.string(), version: z.string(), uploadedDate: Instant }).nullable(),
  })
  .meta({ id: 'Application' })
export type Application = z.infer<typeof Application>

export const CreateApplication = z.object({
  name: Label,
  alias: Alias,
  platform: Platform,
  bundleIdentifier: BundleIdentifier.nullish(),
})
export type CreateApplication = z.infer<typeof CreateApplication>

export const UpdateApplication = z.object({
  name: Label.optional(),
  alias: Alias.optional(),
  bundleIdentifier: BundleIdentifier.nullish(),
  defaultBranch: Label.optional(),
  commitUrl: CommitUrl.nullish(),
})
export type UpdateApplication = z.infer<typeof UpdateApplication>
