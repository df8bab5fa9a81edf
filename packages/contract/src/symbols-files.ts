import { z } from 'zod'
import { Id, Instant, Sha256 } from './values.ts'
import { text } from './text.ts'

export const SymbolsKind = z.enum(['proguard', 'dsym', 'elf', 'sourcemap', 'dartmap'])
export type SymbolsKind = z.infer<typeof SymbolsKind>

export const SymbolsFile = z
  .object({
    id: Id.meta({ examples: [31] }),
    applicationId: Id.meta({ examples: [7] }),
    kind: SymbolsKind,
    shortVersion: text('2.4.0').nullable(),
    version: text('412').nullable(),
    bundleIdentifier: text('com.example.lighthouse').nullable(),
    size: z.int().meta({ examples: [24117248] }),
    sha256: Sha256,
    uploadedDate: Instant,
    images: z
      .array(
        z.object({
          name: z.string(),
          uuid: z.string().meta({ description: 'the UUID of Mach-O, the debug id of other files' }),
          architecture: z.string().nullable(),
          codeId: z.string().nullable().meta({ description: 'the build id of an ELF file, in hexadecimal' }),
        }),
      )
      .meta({ examples: [[]] }),
  })
  .meta({ id: 'SymbolsFile' })
export type SymbolsFile = z.infer<typeof SymbolsFile>
