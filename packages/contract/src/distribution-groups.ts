import { z } from 'zod'
import { Email, Id, Instant, Label } from './values.ts'

export const DistributionGroup = z
  .object({ id: Id, name: z.string(), createdDate: Instant, testerCount: z.int(), buildCount: z.int() })
  .meta({ id: 'DistributionGroup' })
export type DistributionGroup = z.infer<typeof DistributionGroup>

export const SaveDistributionGroup = z.object({ name: Label })
export type SaveDistributionGroup = z.infer<typeof SaveDistributionGroup>

export const Tester = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string().nullable(),
    createdDate: Instant,
    groups: z.array(z.object({ id: Id, name: z.string() })),
  })
  .meta({ id: 'Tester' })
export type Tester = z.infer<typeof Tester>

/**
 * Each entry is an address or `Name <address>`. If any entry is not a valid address, the response lists the faults and
 * no tester is added.
 */
export const AddTesters = z.object({ emails: z.array(z.string().max(500)).min(1).max(1000) })
export type AddTesters = z.infer<typeof AddTesters>

export const TesterEmail = Email
