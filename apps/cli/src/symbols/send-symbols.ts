import type { Client } from '@fairlead/client'
import type { Io } from '../io.ts'
import type { Application } from '../lookups/application.ts'
import { openProgress } from '../output/progress.ts'
import { writeNote } from '../output/write.ts'
import type { SymbolsPlan } from './plan-symbols.ts'
import { zipDsyms } from './zip-dsyms.ts'

/** Uploads the symbols of a plan; the dSYMs among them as one archive. */
export async function sendSymbols(io: Io, client: Client, { alias }: Application, plan: SymbolsPlan): Promise<void> {
  const send = async (file: string, mapping?: SymbolsPlan['mappings'][number]['identity']) => {
    const progress = await openProgress(io, 'Sent')
    try {
      await client.symbols.upload({ alias, file, mapping, signal: io.signal, onProgress: progress.update })
    } finally {
      progress.stop()
    }
  }
  if (plan.dsyms.length > 0) {
    writeNote(io, `Packing ${plan.dsyms.length} dSYMs`)
    await using zip = await zipDsyms(plan.dsyms, io.signal)
    await send(zip.path)
  }
  for (const path of plan.archives) await send(path)
  for (const { path, identity } of plan.mappings) await send(path, identity)
}
