import { z } from 'zod'
import { toCleanName } from './shown-characters.ts'
import { SymbolsKind } from './symbols-files.ts'
import { text } from './text.ts'

export const Stability = z
  .object({
    date: z.iso.date(),
    environment: text('production'),
    package: text('com.example.lighthouse').nullable(),
    shortVersion: text('2.4.0').nullable(),
    version: text('412').nullable(),
    startedCount: z.int().meta({ examples: [12608] }),
    crashedCount: z.int().meta({ examples: [30] }),
    crashFreeRate: z
      .number()
      .nullable()
      .meta({ description: 'From 0 to 1; null when no session was started', examples: [0.9976] }),
    startedInstallCount: z.int().meta({ examples: [5204] }),
    crashedInstallCount: z.int().meta({ examples: [21] }),
    crashFreeInstallRate: z
      .number()
      .nullable()
      .meta({ examples: [0.996] }),
    adoptionRate: z
      .number()
      .nullable()
      .meta({ description: 'The share of the installs of that day and environment', examples: [0.62] }),
  })
  .meta({ id: 'Stability' })
export type Stability = z.infer<typeof Stability>

export const MissingSymbols = z
  .object({
    kind: SymbolsKind,
    codeId: text('9c7fff405dc70e313eb5759c061f33993aceaa5c').nullable(),
    uuid: text('d0bf2c7e-3f5a-3c8e-9a41-5b6c7d8e9f10').nullable(),
    name: text('Lighthouse').nullable(),
    package: text('com.example.lighthouse').nullable(),
    shortVersion: text('2.4.0').nullable(),
    version: text('412').nullable(),
    stackCount: z.int(),
    crashCount: z.int().meta({ examples: [42] }),
  })
  .meta({ id: 'MissingSymbols' })
export type MissingSymbols = z.infer<typeof MissingSymbols>

export const MissingSymbolsQuery = z.object({
  crashGroupId: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: 'Counts the crashes and stacks of this group alone', examples: [65] }),
})
export type MissingSymbolsQuery = z.infer<typeof MissingSymbolsQuery>

/** How an application's frames are told apart: `*` in a pattern stands for any text. */
export const CrashRule = z
  .object({
    kind: z.enum(['app', 'system', 'skip']),
    pattern: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .refine((text) => toCleanName(text) === text, 'must not contain control characters or direction overrides')
      .meta({ examples: ['com.example.*'] }),
  })
  .meta({ id: 'CrashRule' })
export type CrashRule = z.infer<typeof CrashRule>

export const CrashRules = z.object({ rules: z.array(CrashRule).max(200) }).meta({ id: 'CrashRules' })
export type CrashRules = z.infer<typeof CrashRules>

export const StabilityQuery = z.object({
  version: text('412').max(500).optional(),
  environment: text('production')
    .max(64)
    .optional()
    .meta({ description: '`all`, or one; without it the one with the most sessions' }),
})
export type StabilityQuery = z.infer<typeof StabilityQuery>
