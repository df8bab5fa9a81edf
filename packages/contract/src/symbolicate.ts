import { z } from 'zod'
import { Id } from './values.ts'

const missingSymbols = z.object({ name: z.string(), uuid: z.string().nullable(), architecture: z.string().nullable() })

/** One frame of a thread. An inlined frame is followed by the frame that it was inlined into. */
export const SymbolicatedFrame = z
  .object({
    function: z.string().nullable().meta({ description: 'demangled' }),
    file: z.string().nullable(),
    line: z.int().nullable().meta({ description: '0 is code of no line, made by the compiler' }),
    column: z.int().nullable(),
    module: z.string().nullable(),
    address: z.string().nullable().meta({ description: 'hexadecimal, with 0x' }),
    inlined: z.boolean(),
    get alternatives() {
      return z.array(z.array(SymbolicatedFrame))
    },
    raw: z.string().meta({ description: 'the line of the report that it comes from' }),
  })
  .meta({ id: 'SymbolicatedFrame' })

/** A crash report with resolved frames. */
export const SymbolicatedCrash = z
  .object({
    kind: z.enum(['android', 'apple']),
    text: z.string().meta({ description: 'the report, ready to read' }),
    threads: z.array(
      z.object({
        name: z.string().nullable(),
        crashed: z.boolean(),
        frames: z.array(SymbolicatedFrame).meta({ description: 'innermost first' }),
      }),
    ),
    missingSymbols: z.array(missingSymbols),
    symbolsFileIds: z.array(Id),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'SymbolicatedCrash' })
export type SymbolicatedCrash = z.infer<typeof SymbolicatedCrash>

/** Selects the mapping for an Android trace that does not name one itself. */
export const SymbolicateQuery = z.object({
  version: z.string().max(500).optional(),
  shortVersion: z.string().max(500).optional(),
  symbolsFileId: z.coerce.number().int().positive().optional(),
})
export type SymbolicateQuery = z.infer<typeof SymbolicateQuery>
