import { z } from 'zod'
import { text } from './text.ts'
import { Id, Instant, Label } from './values.ts'

/** A key that apps send their crashes with. It belongs to one application and cannot read anything. */
export const CrashKey = z
  .object({
    id: Id.meta({ examples: [2] }),
    name: text('Play Store release'),
    key: text('5f2b8c0d9e7a4136b8c2d4e6f8a01357').regex(/^[0-9a-f]{32}$/),
    isEnabled: z.boolean().meta({ examples: [true] }),
    createdDate: Instant,
    lastUsedDate: Instant.nullable(),
    sentryDsn: z.string().meta({
      description: 'for Sentry SDKs',
      examples: ['https://5f2b8c0d9e7a4136b8c2d4e6f8a01357@fairlead.example.com/7'],
    }),
    appCenterLogUrl: z.string().meta({
      description: 'for `setLogUrl` of App Center SDKs',
      examples: ['https://fairlead.example.com/api/appcenter'],
    }),
    acraUrl: z.string().meta({
      description: "for ACRA's HTTP sender",
      examples: ['https://fairlead.example.com/api/acra/5f2b8c0d9e7a4136b8c2d4e6f8a01357'],
    }),
  })
  .meta({ id: 'CrashKey' })
export type CrashKey = z.infer<typeof CrashKey>

export const CreateCrashKey = z.object({ name: Label.meta({ examples: ['Play Store release'] }) })
export type CreateCrashKey = z.infer<typeof CreateCrashKey>

export const UpdateCrashKey = z.object({
  name: Label.optional().meta({ examples: ['Play Store release'] }),
  isEnabled: z
    .boolean()
    .optional()
    .meta({ examples: [true] }),
})
export type UpdateCrashKey = z.infer<typeof UpdateCrashKey>

export const CrashIntake = z
  .object({
    pendingCount: z
      .int()
      .meta({ description: 'Deliveries that were acknowledged and not read, and stacks to be read again' }),
    waitingStackCount: z.int().meta({ description: 'Stacks that wait for symbols' }),
    droppedCounts: z
      .record(z.string(), z.int())
      .meta({ description: 'What was not counted as a crash, by its kind', examples: [{ transaction: 12 }] }),
  })
  .meta({ id: 'CrashIntake' })
export type CrashIntake = z.infer<typeof CrashIntake>
