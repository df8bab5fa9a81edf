import { z } from 'zod'
import { Id, Instant } from './values.ts'
import { text } from './text.ts'

/** Log lines, requests of the app and messages of the test during one case, ordered by time. */
export const TestTimeline = z
  .object({
    startDate: Instant.nullable().meta({ description: 'Time 0 of those entries whose source says its time zone' }),
    videos: z.array(
      z.object({
        attachmentId: Id.meta({ examples: [77] }),
        name: text('Lighthouse'),
        contentType: text('image/png'),
      }),
    ),
    entries: z.array(
      z.object({
        atMs: z.number().meta({ description: 'Milliseconds since the start of the case' }),
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
