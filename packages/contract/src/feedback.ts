import { z } from 'zod'
import { text } from './text.ts'
import { Id, Instant, Page } from './values.ts'

export const feedbackLimits = {
  /** Characters. */
  text: 5000,
  contact: 200,
  pictures: 3,
  /** Bytes of one picture, and of all pictures of one feedback. */
  pictureBytes: 10 * 2 ** 20,
  bytes: 25 * 2 ** 20,
}

/** Who may send feedback to a workspace: whoever has a link, testers by their personal links, or nobody. */
export const FeedbackRule = z.enum(['everyone', 'testers', 'off'])
export type FeedbackRule = z.infer<typeof FeedbackRule>

export const FeedbackStatus = z.enum(['open', 'done'])
export type FeedbackStatus = z.infer<typeof FeedbackStatus>

const FeedbackPicture = z.object({
  url: text('https://fairlead.example.com/v1/feedback/31/pictures/1'),
  contentType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  size: z.int().meta({ examples: [284_117] }),
  width: z.int().meta({ description: 'In pixels, before it is turned as its orientation says', examples: [1170] }),
  height: z.int().meta({ examples: [2532] }),
})

export const Feedback = z
  .object({
    id: Id.meta({ examples: [31] }),
    applicationId: Id.meta({ examples: [7] }),
    buildId: Id.meta({ examples: [412] }),
    tester: z
      .object({ id: Id.meta({ examples: [12] }), email: text('ada@example.com'), name: text('Ada Holm').nullable() })
      .nullable()
      .meta({ description: 'Whose personal link it came from; null for one that came from a link for everybody' }),
    contact: text('ada@example.com').nullable().meta({ description: 'What the person left to be reached by' }),
    text: text('The chart is empty after the phone was turned.'),
    userAgent: text('Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X)').nullable(),
    pictures: z.array(FeedbackPicture),
    status: FeedbackStatus,
    createdDate: Instant,
  })
  .meta({ id: 'Feedback' })
export type Feedback = z.infer<typeof Feedback>

export const UpdateFeedback = z.object({ status: FeedbackStatus })
export type UpdateFeedback = z.infer<typeof UpdateFeedback>

export const ListFeedback = Page.extend({ status: FeedbackStatus.optional() })
export type ListFeedback = z.infer<typeof ListFeedback>
