import { z } from 'zod'
import { CrashGroupQuery } from './crash-groups.ts'
import { CrashKind, CrashPlatform, CrashSource } from './crash-kinds.ts'
import { SymbolicatedFrame } from './symbolicate.ts'
import { text } from './text.ts'
import { Id, Instant, Page } from './values.ts'

/** A frame in the words of the report. What it does not say is null. */
export const ReportedFrame = z
  .object({
    className: text('a.b').nullable(),
    methodName: text('c').nullable(),
    function: text('a.b.c').nullable(),
    line: z
      .int()
      .nullable()
      .meta({ examples: [17] }),
    column: z
      .int()
      .nullable()
      .meta({ examples: [null] }),
    imageUuid: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    imageOffset: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    address: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    module: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: 'ReportedFrame' })
export type ReportedFrame = z.infer<typeof ReportedFrame>

/** Lines of a source around the place of a frame. */
export const SourceLines = z
  .object({
    firstLine: z.int().meta({ description: 'The number of the first line, from 1', examples: [6] }),
    lines: z.array(z.string()).meta({
      description: 'Up to four lines before and behind the place, each cut to 200 characters',
      examples: [['  for (const item of items) {', '    total += item.price.cents', '  }']],
    }),
  })
  .meta({ id: 'SourceLines' })
export type SourceLines = z.infer<typeof SourceLines>

export const CrashFrame = SymbolicatedFrame.extend({
  className: text('com.example.lighthouse.chart.ChartLoader').nullable(),
  isApp: z.boolean().meta({ examples: [true] }),
  reported: ReportedFrame.nullable().meta({ description: 'null for frames that were inlined' }),
  sourceLines: SourceLines.nullable().meta({
    description: 'From a source map that has the text of its sources (sourcesContent), of up to ten frames',
  }),
}).meta({ id: 'CrashFrame' })
export type CrashFrame = z.infer<typeof CrashFrame>

/** A crash in a list. */
export const CrashSummary = z
  .object({
    id: Id.meta({ examples: [9001] }),
    applicationId: Id.meta({ examples: [7] }),
    groupId: Id.meta({ examples: [65] }),
    stackId: Id.meta({ examples: [201] }),
    source: CrashSource,
    sourceId: text('8f14e45fceea467ea1b2c3d4e5f60718'),
    kind: CrashKind,
    isFatal: z.boolean(),
    occurredDate: Instant,
    receivedDate: Instant,
    package: text('com.example.lighthouse').nullable(),
    shortVersion: text('2.4.0').nullable(),
    version: text('412').nullable(),
    deviceModel: text('Pixel 9').nullable(),
    osName: text('Android').nullable(),
    osVersion: text('16').nullable(),
    installId: text('a7c1f0de-53b2-4c8e-9d10-2f4b6a8c0e13').nullable(),
    platform: CrashPlatform,
    environment: text('production'),
    tags: z.record(z.string(), z.string()).meta({ examples: [{ tenant: 'acme' }] }),
  })
  .meta({ id: 'CrashSummary' })
export type CrashSummary = z.infer<typeof CrashSummary>

export const Crash = CrashSummary.extend({
  exceptions: z.array(
    z.object({
      type: text('java.lang.IllegalStateException'),
      message: text('no chart').nullable(),
    }),
  ),
  frameCount: z.int(),
  frames: z.array(CrashFrame),
  images: z.array(
    z.object({
      name: text('Lighthouse'),
      uuid: text('d0bf2c7e-3f5a-3c8e-9a41-5b6c7d8e9f10').nullable(),
      architecture: text('arm64').nullable(),
    }),
  ),
  missingSymbols: z.array(z.string()).meta({ examples: [[]] }),
  breadcrumbs: z.array(
    z.object({
      date: Instant.nullable(),
      type: text('navigation'),
      category: text('ui.lifecycle').nullable(),
      level: text('info').nullable(),
      message: text('ChartScreen opened').nullable(),
      data: z.record(z.string(), z.string()).meta({ examples: [{ from: 'Harbour', to: 'Chart' }] }),
    }),
  ),
  contexts: z.record(z.string(), z.record(z.string(), z.string())).meta({
    description: 'device, os, app and runtime; data of the app itself only where the application keeps it',
    examples: [{ device: { model: 'Pixel 9' }, os: { name: 'Android' }, app: {}, runtime: {} }],
  }),
  buildId: Id.nullable().meta({ description: 'The build of this release, when it was uploaded here', examples: [412] }),
}).meta({ id: 'Crash' })
export type Crash = z.infer<typeof Crash>

/** A thread of the report. */
export const CrashThread = z
  .object({
    id: text('1').nullable(),
    name: text('main').nullable(),
    state: text('WAITING').nullable(),
    isCrashed: z.boolean(),
    frameCount: z.int(),
    frames: z.array(CrashFrame),
  })
  .meta({ id: 'CrashThread' })
export type CrashThread = z.infer<typeof CrashThread>

export const CrashesQuery = Page.extend({
  version: text('412').max(500).optional(),
  environment: text('production').max(64).optional(),
  device: text('Pixel 9').max(500).optional(),
  os: text('Android 16').max(500).optional(),
  tag: CrashGroupQuery.shape.tag,
  installId: CrashGroupQuery.shape.installId,
  date: z.iso
    .date()
    .optional()
    .meta({ description: 'A day in UTC', examples: ['2026-11-21'] }),
}).strict()
export type CrashesQuery = z.infer<typeof CrashesQuery>

export const InstallQuery = z.object({
  installId: text('a7c1f0de-53b2-4c8e-9d10-2f4b6a8c0e13').min(1).max(512),
})
export type InstallQuery = z.infer<typeof InstallQuery>
