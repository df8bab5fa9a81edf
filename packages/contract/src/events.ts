import { z } from 'zod'
import { Id } from './values.ts'

export const changedKinds = ['application', 'build', 'crashGroup', 'feedback', 'symbolsFile', 'testRun'] as const

/** A change of a workspace: what it concerns, and no content. */
export const ChangeEvent = z
  .object({
    kind: z.enum(changedKinds).meta({ examples: ['build'] }),
    change: z.enum(['created', 'changed', 'deleted']).meta({ examples: ['created'] }),
    applicationId: Id.meta({ examples: [3] }),
    /** Null when more than a hundred changed at once. */
    ids: z
      .array(Id)
      .max(100)
      .nullable()
      .meta({ examples: [[412]] }),
  })
  .meta({ id: 'ChangeEvent' })
export type ChangeEvent = z.infer<typeof ChangeEvent>

export const FollowEvents = z.object({
  applicationId: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: 'Only the events of this application', examples: [3] }),
})
export type FollowEvents = z.infer<typeof FollowEvents>
