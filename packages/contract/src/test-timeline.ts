import { z } from 'zod'
import { Id, Instant } from './values.ts'
import { text } from './text.ts'

const Attempt = z.int().meta({ description: 'The attempt of the case, from 1', examples: [1] })

/** Log lines, requests of the app and messages of the test during one case, by attempt and ordered by time. */
export const TestTimeline = z
  .object({
    startDate: Instant.nullable().meta({ description: 'The earliest `startDate` of its attempts' }),
    attempts: z
      .array(
        z.object({
          attempt: Attempt,
          startDate: Instant.nullable().meta({
            description: 'Time 0 of those of its entries whose source says its time zone',
          }),
        }),
      )
      .meta({ description: 'Those that have entries or videos; each has its own clock' }),
    videos: z.array(
      z.object({
        attachmentId: Id.meta({ examples: [77] }),
        attempt: Attempt,
        name: text('Lighthouse'),
        contentType: text('image/png'),
      }),
    ),
    entries: z.array(
      z.object({
        atMs: z.number().meta({ description: 'Milliseconds since the start of the attempt' }),
        attempt: Attempt,
        kind: z.enum(['log', 'request', 'message']),
        source: z.string().meta({ description: '`output`, or the name of an attachment', examples: ['output'] }),
        isError: z.boolean(),
        text: text('Chart requested'),
      }),
    ),
    isCut: z.boolean().meta({ description: 'Entries were left out because there are too many' }),
  })
  .meta({ id: 'TestTimeline' })
export type TestTimeline = z.infer<typeof TestTimeline>
