import { z } from 'zod'
import { text } from './text.ts'
import { Id, Instant } from './values.ts'

/** A release that CI has announced, as `sentry-cli releases` and `sentry-cli deploys` do. */
export const DeclaredRelease = z
  .object({
    id: Id,
    version: z.string().meta({
      description: 'as it was announced, usually `package@version+build`',
      examples: ['com.example.lighthouse@2.4.1+241'],
    }),
    package: text('com.example.lighthouse').nullable(),
    shortVersion: text('2.4.1').nullable(),
    buildVersion: text('241').nullable(),
    url: text('https://ci.example.com/runs/241').nullable(),
    commit: text('9fceb02d0ae598e95dc970b74767f19372d61af8').nullable(),
    isArchived: z.boolean().meta({ examples: [false] }),
    createdDate: Instant,
    releasedDate: Instant.nullable(),
    deploys: z
      .array(
        z.object({
          environment: text('production'),
          name: text('Play Store, 10 %').nullable(),
          url: text('https://ci.example.com/deploys/12').nullable(),
          startedDate: Instant.nullable(),
          finishedDate: Instant.nullable(),
        }),
      )
      .meta({ description: 'where it was deployed, newest first' }),
  })
  .meta({ id: 'DeclaredRelease' })
export type DeclaredRelease = z.infer<typeof DeclaredRelease>
