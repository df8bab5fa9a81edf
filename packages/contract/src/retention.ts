import { z } from 'zod'
import { Build } from './builds.ts'
import { text } from './text.ts'
import { Id, Instant } from './values.ts'

const days = z.int().min(1).max(3650)

/** The first rule of which a pattern matches the whole branch decides; a build goes if it is over every limit. */
export const RetentionRule = z
  .object({
    branches: z
      .array(text('release/*').max(500))
      .min(1)
      .max(50)
      .meta({ description: '`*` stands for any characters; `""` for builds without a branch', examples: [['*']] }),
    maxAgeDays: days.nullable().default(null),
    keepNewest: z.int().min(1).max(10_000).nullable().default(null),
  })
  .meta({ id: 'RetentionRule', examples: [{ branches: ['main', 'release/*'], maxAgeDays: 180, keepNewest: 20 }] })
export type RetentionRule = z.infer<typeof RetentionRule>

const settings = {
  rules: z.array(RetentionRule).max(50),
  keepDistributedDays: z
    .int()
    .min(0)
    .max(3650)
    .default(90)
    .meta({ examples: [90] }),
  quietBranchDays: days
    .nullable()
    .default(null)
    .meta({ examples: [30] }),
}

export const SaveRetention = z.object({ isEnabled: z.boolean(), ...settings })
export type SaveRetention = z.infer<typeof SaveRetention>

/** The rules to try; without a body those that are saved. */
export const PreviewRetention = z.object({ isEnabled: z.boolean().optional(), ...settings }).nullish()
export type PreviewRetention = z.infer<typeof PreviewRetention>

export const Retention = z
  .object({
    isEnabled: z.boolean(),
    rules: z.array(RetentionRule),
    keepDistributedDays: z.int().meta({ examples: [90] }),
    quietBranchDays: z.int().nullable(),
    nextRunDate: Instant.nullable(),
    source: z.enum(['application', 'workspace', 'none']),
  })
  .meta({ id: 'Retention' })
export type Retention = z.infer<typeof Retention>

const count = z.int().meta({ examples: [12] })
const bytes = z.int().meta({ examples: [289_406_976] })

export const RetentionPreview = z
  .object({
    evaluatedDate: Instant,
    candidateCount: count,
    candidateBytes: bytes,
    freedBytes: bytes.meta({ description: 'Bytes of stored files that no other build or symbols file refers to' }),
    last30Days: z
      .object({ candidateCount: count, candidateBytes: bytes })
      .meta({ description: 'Those of the builds that the rules would not have taken 30 days ago' }),
    builds: z.array(
      z.object({
        id: Id.meta({ examples: [412] }),
        shortVersion: text('2.4.0'),
        version: text('412'),
        branch: text('main').nullable(),
        uploadedDate: Instant,
        size: z.int(),
        rule: z.int().meta({ description: 'The place of the rule in the list, from 0', examples: [0] }),
      }),
    ),
    isCut: z.boolean().meta({ description: 'Whether there are more than the 10,000 builds in the list' }),
    kept: z
      .object({
        pinned: z.int(),
        recent: z.int(),
        newestOfBranch: z.int(),
        latest: z.int(),
        distributed: z.int(),
      })
      .meta({ description: 'How many builds the rules alone would take, by what keeps them' }),
  })
  .meta({ id: 'RetentionPreview' })
export type RetentionPreview = z.infer<typeof RetentionPreview>

export const RetentionRun = z
  .object({
    id: Id.meta({ examples: [8] }),
    applicationId: Id.meta({ examples: [7] }),
    trigger: z.enum(['schedule', 'hand']),
    state: z.enum(['running', 'done', 'undone']),
    candidateCount: count,
    trashedCount: count,
    sparedCount: z.int().meta({ examples: [0] }),
    trashedBytes: bytes,
    restoredCount: z.int().meta({ examples: [0] }),
    startedDate: Instant,
    finishedDate: Instant.nullable(),
    undoUntilDate: Instant.nullable(),
  })
  .meta({ id: 'RetentionRun' })
export type RetentionRun = z.infer<typeof RetentionRun>

/** A build that a run looked at, and what became of it. It is listed also when the build is deleted since. */
export const RetentionRunBuild = z
  .object({
    id: Id.meta({ examples: [412] }),
    shortVersion: text('2.4.0'),
    version: text('412'),
    branch: text('main').nullable(),
    size: z.int(),
    rule: z.int().meta({ description: 'The place of the rule in the list, from 0', examples: [0] }),
    state: z
      .enum(['waiting', 'trashed', 'spared', 'restored'])
      .meta({ description: 'spared: distributed, pinned or deleted before its turn came' }),
  })
  .meta({ id: 'RetentionRunBuild' })
export type RetentionRunBuild = z.infer<typeof RetentionRunBuild>

export const TrashedBuild = Build.extend({
  trashedDate: Instant,
  purgeDate: Instant,
  retentionRunId: Id.nullable(),
}).meta({ id: 'TrashedBuild' })
export type TrashedBuild = z.infer<typeof TrashedBuild>
