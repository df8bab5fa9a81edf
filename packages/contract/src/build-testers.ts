import { z } from 'zod'
import { text } from './text.ts'
import { Id, Instant } from './values.ts'

/**
 * How far a tester is with a build. `told`: a mail was written. `opened`: a page of the tester showed it in a browser,
 * perhaps in that of a mail filter. `installed`: a device loaded it over a personal link.
 */
export const TesterState = z.enum(['none', 'told', 'opened', 'installed'])
export type TesterState = z.infer<typeof TesterState>

export const BuildTester = z
  .object({
    testerId: Id.meta({ examples: [51] }),
    email: text('mara@example.com'),
    name: text('Mara Lindqvist').nullable(),
    groups: z
      .array(z.object({ id: Id.meta({ examples: [3] }), name: text('Beta testers') }))
      .meta({ description: 'Groups of the tester that have the build; none for a tester who left them' }),
    state: TesterState,
    toldDate: Instant.nullable(),
    mailState: z
      .enum(['waiting', 'sent', 'failed'])
      .nullable()
      .meta({ description: 'Of the last mail about the build; null without one, or when it is older than 90 days' }),
    openedDate: Instant.nullable(),
    installedDate: Instant.nullable(),
    remindedDate: Instant.nullable(),
    isUnsubscribed: z.boolean(),
  })
  .meta({ id: 'BuildTester' })
export type BuildTester = z.infer<typeof BuildTester>

/** Whoever installed the build is never reminded, whatever `states` says. */
export const RemindTesters = z.object({
  states: z
    .array(TesterState)
    .min(1)
    .max(10)
    .meta({ examples: [['told', 'opened']] }),
  testerIds: z
    .array(z.int())
    .min(1)
    .max(1000)
    .nullish()
    .meta({ description: 'Only these testers', examples: [[51]] }),
})
export type RemindTesters = z.infer<typeof RemindTesters>

export const Reminded = z
  .object({
    count: z.int().meta({ description: 'How many testers get a reminder', examples: [12] }),
    skipped: z.object({
      unsubscribed: z.int().meta({ examples: [1] }),
      recent: z.int().meta({ description: 'Reminded in the last 24 hours', examples: [0] }),
      exhausted: z.int().meta({ description: 'Reminded three times', examples: [0] }),
    }),
  })
  .meta({ id: 'Reminded' })
export type Reminded = z.infer<typeof Reminded>
