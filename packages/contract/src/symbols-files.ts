import { z } from 'zod'
import { Id, Instant, Sha256 } from './values.ts'

export const SymbolsFile = z
  .object({
    id: Id,
    applicationId: Id,
    kind: z.enum(['proguard', 'dsym']),
    shortVersion: z.string().nullable(),
    version: z.string().nullable(),
    bundleIdentifier: z.string().nullable(),
    size: z.int(),
    sha256: Sha256,
    uploadedDate: Instant,
    images: z.array(z.object({ name: z.string(), uuid: z.string(), architecture: z.string().nullable() })),
  })
  .meta({ id: 'SymbolsFile' })
export type SymbolsFile = z.infer<typeof SymbolsFile>
