import { z } from 'zod'
import { text } from './text.ts'
import { Id, Instant, Label, Page } from './values.ts'

export const hookEventTypes = [
  'build.uploaded',
  'build.distributed',
  'build.deleted',
  'build.restored',
  'symbols.uploaded',
  'install.recorded',
  'feedback.received',
  'crashGroup.created',
  'crashGroup.regressed',
  'crashGroup.spiked',
  'testRun.completed',
  'testRun.verdictChanged',
  'test.becameFlaky',
  'retention.finished',
  'alert.fired',
  'hook.test',
] as const
export const HookEventType = z.enum(hookEventTypes)
export type HookEventType = z.infer<typeof HookEventType>

/** What a hook is told of. `*` is everything but `install.recorded`, which has to be named. */
const HookEvents = z
  .array(z.union([z.literal('*'), HookEventType]))
  .min(1)
  .max(50)
  .refine((events) => !events.includes('*') || events.every((one) => one === '*' || one === 'install.recorded'), {
    message: '* stands alone, or with install.recorded',
  })
  .meta({ examples: [['build.uploaded', 'crashGroup.created']] })

export const hookFormats = ['standard', 'slack', 'teams', 'discord', 'googleChat', 'feishu', 'mattermost'] as const
export const HookFormat = z.enum(hookFormats)
export type HookFormat = z.infer<typeof HookFormat>

export const HookInclude = z.enum(['installLinks', 'texts', 'people'])
export type HookInclude = z.infer<typeof HookInclude>

const HookUrl = text('https://ci.example.com/fairlead').max(2048)
const ApplicationIds = z
  .array(Id)
  .min(1)
  .max(200)
  .meta({ examples: [[3, 8]] })

export const Hook = z
  .object({
    id: Id,
    name: text('Release channel'),
    url: HookUrl,
    format: HookFormat,
    events: HookEvents,
    /** Null for all applications. */
    applicationIds: ApplicationIds.nullable(),
    /** What is sent beside ids, links and small facts: a hook may lead to a chat that many read. */
    includes: z.array(HookInclude).meta({ examples: [['installLinks']] }),
    isEnabled: z.boolean().meta({ examples: [true] }),
    disabledReason: z.enum(['hand', 'gone', 'failing']).nullable(),
    disabledDate: Instant.nullable(),
    waitingCount: z.int().meta({ examples: [0] }),
    lastSuccessDate: Instant.nullable(),
    lastFailureDate: Instant.nullable(),
    createdDate: Instant,
    createdBy: text('mara@example.com').nullable(),
  })
  .meta({ id: 'Hook' })
export type Hook = z.infer<typeof Hook>

const HookSecret = text('whsec_GjmLpUTxDbsfkqlkCVKJR0kAVdG3uhaTtSpuEqKVXQA=')

/** The only answer with the secret, besides that of a rotation. */
export const CreatedHook = Hook.extend({ secret: HookSecret }).meta({ id: 'CreatedHook' })
export type CreatedHook = z.infer<typeof CreatedHook>

export const CreateHook = z.object({
  name: Label.meta({ examples: ['Release channel'] }),
  url: HookUrl,
  events: HookEvents,
  format: HookFormat.optional(),
  applicationIds: ApplicationIds.nullish(),
  includes: z
    .array(HookInclude)
    .max(3)
    .optional()
    .meta({ examples: [['installLinks']] }),
  /** The key of a Feishu bot that checks signatures. */
  feishuSecret: text('Vq3nD7sKz1').min(1).max(200).nullish(),
})
export type CreateHook = z.infer<typeof CreateHook>

export const UpdateHook = CreateHook.pick({
  name: true,
  url: true,
  events: true,
  applicationIds: true,
  includes: true,
})
  .partial()
  .extend({ isEnabled: z.boolean().optional() })
export type UpdateHook = z.infer<typeof UpdateHook>

export const RotateHookSecret = z.object({
  /** How long deliveries are signed with the old secret as well. */
  keepOldHours: z
    .int()
    .min(0)
    .max(168)
    .optional()
    .meta({ examples: [24] }),
})
export type RotateHookSecret = z.infer<typeof RotateHookSecret>

export const RotatedHookSecret = z
  .object({ secret: HookSecret, oldSecretUntilDate: Instant.nullable() })
  .meta({ id: 'RotatedHookSecret' })
export type RotatedHookSecret = z.infer<typeof RotatedHookSecret>

export const HookDeliveryState = z.enum(['waiting', 'succeeded', 'failed', 'stopped'])
export type HookDeliveryState = z.infer<typeof HookDeliveryState>

export const HookDeliveryError = z.enum([
  'addressRefused',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'redirect',
  'status',
  'refusedByChat',
])
export type HookDeliveryError = z.infer<typeof HookDeliveryError>

export const HookDelivery = z
  .object({
    id: Id,
    hookId: Id,
    /** The same in every attempt and redelivery, so that a receiver knows what it has seen. */
    webhookId: text('msg_2pVqkL8dRt0wYxN4cZbE1s'),
    type: HookEventType,
    state: HookDeliveryState,
    attemptCount: z.int().meta({ examples: [1] }),
    createdDate: Instant,
    nextAttemptDate: Instant.nullable(),
    finishedDate: Instant.nullable(),
    lastStatus: z
      .int()
      .nullable()
      .meta({ examples: [200] }),
    lastError: HookDeliveryError.nullable(),
    /** The delivery that this one repeats. */
    redeliveryOf: Id.nullable(),
  })
  .meta({ id: 'HookDelivery' })
export type HookDelivery = z.infer<typeof HookDelivery>

export const HookAttempt = z
  .object({
    startedDate: Instant,
    durationMs: z.int().meta({ examples: [182] }),
    status: z
      .int()
      .nullable()
      .meta({ examples: [200] }),
    error: HookDeliveryError.nullable(),
    /** The first 1,000 characters of an answer that is text. */
    responseExcerpt: text('ok').nullable(),
  })
  .meta({ id: 'HookAttempt' })
export type HookAttempt = z.infer<typeof HookAttempt>

export const HookDeliveryWithAttempts = HookDelivery.extend({
  body: text('{"type":"hook.test","timestamp":"2026-11-21T09:30:00.000Z","workspaceId":1,"data":{"hookId":4}}'),
  attempts: z.array(HookAttempt),
}).meta({ id: 'HookDeliveryWithAttempts' })
export type HookDeliveryWithAttempts = z.infer<typeof HookDeliveryWithAttempts>

export const ListHookDeliveries = Page.extend({
  state: HookDeliveryState.optional(),
  type: HookEventType.optional(),
})
export type ListHookDeliveries = z.infer<typeof ListHookDeliveries>

export const RedeliverHook = z.object({
  since: z.iso.datetime({ offset: true }).meta({ examples: ['2026-11-21T09:30:00.000Z'] }),
})
export type RedeliverHook = z.infer<typeof RedeliverHook>

export const Redelivered = z.object({ count: z.int().meta({ examples: [12] }) }).meta({ id: 'Redelivered' })
export type Redelivered = z.infer<typeof Redelivered>
