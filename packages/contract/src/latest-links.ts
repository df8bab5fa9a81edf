import { z } from 'zod'
import { text } from './text.ts'
import { Id, Instant, Label } from './values.ts'

/** What a latest link shows: the newest build that was given to testers, or the newest one that was uploaded. */
const Follows = z.enum(['distributed', 'uploaded'])

/** The build that a latest link shows now. */
const ServedBuild = z.object({
  id: Id.meta({ examples: [412] }),
  shortVersion: text('2.4.0'),
  version: text('412'),
  uploadedDate: Instant,
})

export const LatestLink = z
  .object({
    id: Id.meta({ examples: [5] }),
    applicationId: Id.meta({ examples: [7] }),
    name: text('Nightly on the wall'),
    url: text('https://fairlead.example.com/latest/Zk3v8QmT1yXw5RbN7cHs2L'),
    distributionGroup: z.object({ id: Id.meta({ examples: [3] }), name: text('Beta testers') }).nullable(),
    branch: text('main').nullable(),
    follows: Follows,
    showsOlder: z.boolean().meta({ description: 'Whether the page lists the ten builds before', examples: [false] }),
    hasPassword: z.boolean(),
    isRevoked: z.boolean(),
    expirationDate: Instant.nullable().meta({ examples: ['2027-02-19T09:30:00.000Z'] }),
    build: ServedBuild.nullable().meta({ description: 'Null while there is nothing to install' }),
    createdDate: Instant,
    createdBy: text('Mara Lindqvist'),
  })
  .meta({ id: 'LatestLink' })
export type LatestLink = z.infer<typeof LatestLink>

const settings = {
  distributionGroupId: z
    .int()
    .nullable()
    .optional()
    .meta({ examples: [3] }),
  branch: text('main').min(1).max(500).nullable().optional(),
  follows: Follows.optional(),
  showsOlder: z.boolean().optional(),
  password: text('harbor').min(4).max(200).nullable().optional(),
  expirationDate: z.iso
    .datetime({ offset: true })
    .nullable()
    .optional()
    .meta({ examples: ['2027-02-19T09:30:00.000Z'] }),
  isRevoked: z.boolean().optional(),
}

export const CreateLatestLink = z.object({ name: Label.meta({ examples: ['Nightly on the wall'] }), ...settings })
export type CreateLatestLink = z.infer<typeof CreateLatestLink>

/** Fields that are left out stay as they are; null takes a group, a branch, a password or an end away. */
export const UpdateLatestLink = CreateLatestLink.partial()
export type UpdateLatestLink = z.infer<typeof UpdateLatestLink>

/** What `build.json` of a latest link says, for an app that asks whether there is a newer build. */
export interface LatestBuild {
  id: number
  platform: 'android' | 'ios'
  bundleIdentifier: string
  shortVersion: string
  version: string
  uploadedDate: string
  size: number
  sha256: string
  releaseNotes: string | null
  pageUrl: string
  downloadUrl: string
  manifestUrl: string | null
}
