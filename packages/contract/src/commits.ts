import { z } from 'zod'
import { Id, Instant, Page } from './values.ts'
import { text } from './text.ts'

const exampleCommit = '9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190'
const exampleBase = '1f0c9b8a7d6e5f4c3b2a1909c1e0f4b7d2a6853e'

/** The hash of a commit in lower case: SHA-1, or SHA-256 in repositories that use it. */
export const CommitHash = text(exampleCommit)
  .regex(/^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, 'must be 40 or 64 hexadecimal digits')
  .transform((hash) => hash.toLowerCase())

const Path = text('app/src/main/java/com/example/lighthouse/chart/ChartLoader.kt')
  .min(1)
  .max(1000)
  // oxlint-disable-next-line no-control-regex -- no file system has this character in a path
  .regex(/^[^\u0000]*$/, 'must not hold the character NUL')

/** Limits of the commits of one build. Files and hunks beyond theirs are left out. */
export const commitLimits = {
  bodyBytes: 4 * 2 ** 20,
  commits: 1000,
  filesOfCommit: 300,
  files: 20_000,
  hunksOfFile: 100,
} as const

const largestLine = 2 ** 31 - 1
const Hunk = z.array(z.int().min(0).max(largestLine)).length(2)

/** A file that a commit touched. */
export const CommitFile = z.object({
  path: Path,
  status: z
    .enum(['A', 'M', 'D', 'R', 'C', 'T'])
    .meta({ description: 'added, modified, deleted, renamed, copied, type changed', examples: ['M'] }),
  previousPath: Path.nullish().meta({ description: 'of a renamed or copied file', examples: [null] }),
  hunks: z
    .array(Hunk)
    .nullish()
    .meta({
      description: 'first line and number of lines of each change, as the commit left the file',
      examples: [[[84, 3]]],
    }),
})
export type CommitFile = z.infer<typeof CommitFile>

// PostgreSQL cannot store this character in texts.
// oxlint-disable-next-line no-control-regex -- as said above
const withoutNul = /^[^\u0000]*$/

const CommitAuthor = z.object({
  name: text('Mara Lindqvist').max(300).regex(withoutNul),
  email: text('mara@example.com').max(300).regex(withoutNul).nullish(),
})

/** A commit between the build before and a build, as CI reads it from Git. */
export const CommitOfBuild = z.object({
  id: CommitHash,
  date: z.iso.datetime({ offset: true }).meta({ examples: ['2026-11-21T09:30:00.000Z'] }),
  subject: text('Load charts in the background').max(1000).regex(withoutNul).nullish(),
  author: CommitAuthor.nullish(),
  files: z.array(CommitFile).meta({ description: 'the first 300 are kept' }),
})

/** Replaces the commits of a build, newest first. */
export const ReplaceCommits = z.object({
  base: CommitHash.nullable().meta({
    description: 'the commit of the build before, or where the list begins; null if it is not known',
    examples: [exampleBase],
  }),
  head: CommitHash,
  isComplete: z
    .boolean()
    .nullish()
    .meta({ description: 'false if commits may be missing, as in a shallow clone', examples: [true] }),
  commits: z.array(CommitOfBuild).meta({ description: 'newest first, at most 1,000' }),
})
export type ReplaceCommits = z.input<typeof ReplaceCommits>

export const BuildCommits = z
  .object({
    buildId: Id.meta({ examples: [412] }),
    base: text(exampleBase).nullable(),
    head: text(exampleCommit),
    count: z.int().meta({ examples: [3] }),
    fileCount: z.int().meta({ examples: [11] }),
    isComplete: z.boolean(),
    isTruncated: z.boolean().meta({ description: 'files or hunks were over a limit and left out' }),
    receivedDate: Instant,
  })
  .meta({ id: 'BuildCommits' })
export type BuildCommits = z.infer<typeof BuildCommits>

/** A commit in the list of a build. */
export const Commit = z
  .object({
    id: text(exampleCommit),
    date: Instant,
    subject: text('Load charts in the background').nullable(),
    author: z.object({ name: text('Mara Lindqvist'), email: text('mara@example.com').nullable() }).nullable(),
    files: z.array(
      z.object({
        path: text('app/src/main/java/com/example/lighthouse/chart/ChartLoader.kt'),
        status: CommitFile.shape.status,
        previousPath: z
          .string()
          .nullable()
          .meta({ examples: [null] }),
        hunks: z
          .array(z.array(z.int()))
          .nullable()
          .meta({ examples: [[[84, 3]]] }),
      }),
    ),
  })
  .meta({ id: 'Commit' })
export type Commit = z.infer<typeof Commit>

export const ListCommits = Page.strict()

/** What is known of the commits of a build. */
export const CommitState = z
  .object({
    state: z.enum(['complete', 'partial', 'none']),
    base: text(exampleBase).nullable(),
    head: text(exampleCommit).nullable(),
    count: z.int().meta({ examples: [3] }),
  })
  .meta({ id: 'CommitState' })
export type CommitState = z.infer<typeof CommitState>
