import { z } from 'zod'
import { Id } from './values.ts'
import { text } from './text.ts'

const missingSymbols = z.object({
  name: z.string(),
  uuid: z.string().nullable(),
  architecture: z.string().nullable(),
  codeId: text('9c7fff405dc70e313eb5759c061f33993aceaa5c').nullable(),
})

/** One frame of a thread. An inlined frame is followed by the frame that it was inlined into. */
export const SymbolicatedFrame = z
  .object({
    function: z
      .string()
      .nullable()
      .meta({ description: 'demangled', examples: ['com.example.lighthouse.chart.ChartLoader.load'] }),
    file: text('ChartLoader.kt').nullable(),
    line: z
      .int()
      .nullable()
      .meta({ description: '0 is code of no line, made by the compiler', examples: [84] }),
    column: z
      .int()
      .nullable()
      .meta({ examples: [null] }),
    module: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'hexadecimal, with 0x', examples: [null] }),
    inlined: z.boolean(),
    get alternatives() {
      return z.array(z.array(SymbolicatedFrame)).meta({ examples: [[]] })
    },
    raw: z
      .string()
      .meta({ description: 'the line of the report that it comes from', examples: ['\tat a.b.c(SourceFile:17)'] }),
  })
  .meta({ id: 'SymbolicatedFrame' })

/** A crash report with resolved frames. */
export const SymbolicatedCrash = z
  .object({
    kind: z.enum(['android', 'apple', 'native', 'dart', 'javascript']),
    text: z.string().meta({
      description: 'the report, ready to read',
      examples: [
        'java.lang.IllegalStateException: no chart\n\tat com.example.lighthouse.ChartLoader.load(ChartLoader.kt:84)',
      ],
    }),
    threads: z.array(
      z.object({
        name: text('main').nullable(),
        crashed: z.boolean().meta({ examples: [true] }),
        exception: text('java.lang.IllegalStateException: no chart')
          .optional()
          .meta({ description: 'of Java, Kotlin and JavaScript: what was thrown there, with its message' }),
        frames: z.array(SymbolicatedFrame).meta({ description: 'innermost first' }),
      }),
    ),
    missingSymbols: z.array(missingSymbols).meta({ examples: [[]] }),
    symbolsFileIds: z.array(Id).meta({ examples: [[31]] }),
    warnings: z.array(z.string()).meta({ examples: [[]] }),
  })
  .meta({ id: 'SymbolicatedCrash' })
export type SymbolicatedCrash = z.infer<typeof SymbolicatedCrash>

/** Selects the symbols for a report that does not name them itself. */
export const SymbolicateQuery = z.object({
  version: text('412').max(500).optional(),
  shortVersion: text('2.4.0').max(500).optional(),
  debugId: text('40ff7f9c-c75d-310e-3eb5-759c061f3399').max(500).optional(),
  symbolsFileId: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .meta({ examples: [31] }),
})
export type SymbolicateQuery = z.infer<typeof SymbolicateQuery>
