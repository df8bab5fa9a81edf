import { z } from 'zod'
import { Instant } from './values.ts'
import { text } from './text.ts'

/** The CODEOWNERS file of an application's repository; empty if none was sent. */
export const CodeOwners = z
  .object({ content: text('/app/charts/ @charts-team\n'), updatedDate: Instant.nullable() })
  .meta({ id: 'CodeOwners' })
export type CodeOwners = z.infer<typeof CodeOwners>

export const UpdateCodeOwners = z.object({
  content: text('/app/charts/ @charts-team\n').max(500_000),
})
export type UpdateCodeOwners = z.infer<typeof UpdateCodeOwners>

/** An image that shows the last complete run of the default branch to whoever knows its address. */
export const Badge = z
  .object({
    url: text('https://fairlead.example.com/badge/Zk3v8QmT1yXw5RbN7cHs2L.svg').nullable(),
  })
  .meta({ id: 'Badge' })
export type Badge = z.infer<typeof Badge>
