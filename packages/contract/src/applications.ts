import { z } from 'zod'
import { Id, Instant, Label, Platform } from './values.ts'
import { text } from './text.ts'

export const Alias = text('lighthouse').regex(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 of a-z, 0-9 and -')
export const BundleIdentifier = text('com.example.lighthouse')
  .max(255)
  .regex(/^[A-Za-z0-9._-]+$/, 'must be of letters, digits, dots, underscores and hyphens')

/** A template such as `https://git.example.com/shop/commit/{commit}`. */
const CommitUrl = z
  .string()
  .max(500)
  .regex(/^https?:\/\/[^\s{}]+\{commit\}[^\s{}]*$/, 'must be a web address that holds {commit} once')

export const Application = z
  .object({
    id: Id.meta({ examples: [7] }),
    alias: Alias,
    name: text('Lighthouse'),
    platform: Platform,
    bundleIdentifier: text('com.example.lighthouse').nullable(),
    iconUrl: text('https://fairlead.example.com/install/Zk3v8QmT1yXw5RbN7cHs2LdPf9JgA4Ue6VtKoBi0MnE/icon').nullable(),
    createdDate: Instant,
    defaultBranch: z.string().meta({ description: 'Test runs are compared with this branch', examples: ['main'] }),
    commitUrl: z
      .string()
      .nullable()
      .meta({
        description: 'The address of a commit, with `{commit}` where the hash belongs',
        examples: ['https://git.example.com/lighthouse/commit/{commit}'],
      }),
    linkedApplicationId: Id.nullable().meta({
      description: 'The application for the other platform, whose symbols are used for the crashes of this one, too',
      examples: [8],
    }),
    keepsCustomData: z.boolean().meta({ description: 'Whether `extra` and further contexts of crashes are kept' }),
    buildCount: z.int().meta({ examples: [128] }),
    latestBuild: z
      .object({
        id: Id.meta({ examples: [412] }),
        shortVersion: text('2.4.0'),
        version: text('412'),
        uploadedDate: Instant,
      })
      .nullable(),
  })
  .meta({ id: 'Application' })
export type Application = z.infer<typeof Application>

export const CreateApplication = z.object({
  name: Label.meta({ examples: ['Lighthouse'] }),
  alias: Alias,
  platform: Platform,
  bundleIdentifier: BundleIdentifier.nullish(),
})
export type CreateApplication = z.infer<typeof CreateApplication>

export const UpdateApplication = z.object({
  name: Label.optional().meta({ examples: ['Lighthouse'] }),
  alias: Alias.optional(),
  bundleIdentifier: BundleIdentifier.nullish(),
  defaultBranch: Label.optional().meta({ examples: ['main'] }),
  linkedApplicationId: Id.nullish().meta({ examples: [8] }),
  keepsCustomData: z
    .boolean()
    .optional()
    .meta({ examples: [false] }),
  commitUrl: CommitUrl.nullish().meta({ examples: ['https://git.example.com/lighthouse/commit/{commit}'] }),
})
export type UpdateApplication = z.infer<typeof UpdateApplication>
