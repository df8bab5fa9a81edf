import { z } from 'zod'
import { Email, Id, Instant, Label } from './values.ts'
import { text } from './text.ts'

export const DistributionGroup = z
  .object({
    id: Id.meta({ examples: [3] }),
    name: text('Beta testers'),
    createdDate: Instant,
    testerCount: z.int().meta({ examples: [18] }),
    buildCount: z.int().meta({ examples: [128] }),
  })
  .meta({ id: 'DistributionGroup' })
export type DistributionGroup = z.infer<typeof DistributionGroup>

export const SaveDistributionGroup = z.object({ name: Label.meta({ examples: ['Beta testers'] }) })
export type SaveDistributionGroup = z.infer<typeof SaveDistributionGroup>

export const Tester = z
  .object({
    id: Id.meta({ examples: [51] }),
    email: text('mara@example.com'),
    name: text('Jo Castellanos').nullable(),
    createdDate: Instant,
    groups: z.array(z.object({ id: Id.meta({ examples: [3] }), name: text('Beta testers') })),
    isUnsubscribed: z.boolean().meta({ description: 'Whether the tester asked for no more mails' }),
    pageUrl: text('https://builds.example.com/testers/1f.q3TnC0qfE1m0yH2b7kPzWw')
      .nullable()
      .meta({ description: 'The page with all builds of the tester; null for viewers' }),
  })
  .meta({ id: 'Tester' })
export type Tester = z.infer<typeof Tester>

/**
 * Each entry is an address or `Name <address>`. If any entry is not a valid address, the response lists the faults and
 * no tester is added.
 */
export const AddTesters = z.object({
  emails: z
    .array(z.string().max(500))
    .min(1)
    .max(1000)
    .meta({ examples: [['Mara Lindqvist <mara@example.com>', 'jo@example.com']] }),
})
export type AddTesters = z.infer<typeof AddTesters>

/** A build in `builds.json` of a tester's page, newest first. The link is the tester's own. */
export interface TesterPageBuild {
  id: number
  name: string
  platform: 'android' | 'ios'
  shortVersion: string
  version: string
  uploadedDate: string
  isInstalled: boolean
  installUrl: string
}

export const TesterEmail = Email
