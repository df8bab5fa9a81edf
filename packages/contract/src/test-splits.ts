import { z } from 'zod'
import { text } from './text.ts'
import { Instant } from './values.ts'

/** How long the tests took together that have this file, class and suite: the median of the last complete runs. */
export const TestDuration = z
  .object({
    file: text('app/src/test/kotlin/ChartTest.kt').nullable(),
    class: text('com.example.lighthouse.ChartTest').nullable(),
    suite: text('androidTest').nullable(),
    durationMs: z.number().meta({ examples: [1840.5] }),
  })
  .meta({ id: 'TestDuration' })
export type TestDuration = z.infer<typeof TestDuration>

export const CreateTestSplit = z.object({
  key: text('ci-9317').min(1).max(200).meta({ description: 'The key of the run that all shards belong to' }),
})
export type CreateTestSplit = z.infer<typeof CreateTestSplit>

/** The durations that the shards of one run deal their test files by. They do not change once they were asked for. */
export const TestSplit = z
  .object({ key: text('ci-9317'), createdDate: Instant, durations: z.array(TestDuration) })
  .meta({ id: 'TestSplit' })
export type TestSplit = z.infer<typeof TestSplit>
