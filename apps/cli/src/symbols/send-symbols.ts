import { basename } from 'node:path'
import { type Client, RequestError } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import type { Application } from '../lookups/application.ts'
import { openProgress } from '../output/progress.ts'
import { writeNote } from '../output/write.ts'
import { packEntries } from './archived-libraries.ts'
import type { SymbolsPlan } from './plan-symbols.ts'
import { zipDsyms } from './zip-dsyms.ts'

/** Uploads the symbols of a plan; the dSYMs among them as one archive. */
export async function sendSymbols(io: Io, client: Client, { alias }: Application, plan: SymbolsPlan): Promise<void> {
  const send = async (file: string, more: Omit<Parameters<typeof client.symbols.upload>[0], 'alias' | 'file'> = {}) => {
    const progress = await openProgress(io, 'Sent')
    try {
      await client.symbols.upload({ alias, file, ...more, signal: io.signal, onProgress: progress.update })
      progress.finish()
    } catch (error) {
      throw nameRefused(error, file)
    } finally {
      progress.stop()
    }
  }
  if (plan.dsyms.length > 0) {
    writeNote(io, `Packing ${plan.dsyms.length} dSYMs`)
    await using zip = await zipDsyms(plan.dsyms, io.signal)
    await send(zip.path)
  }
  for (const { path, entries } of plan.archives) {
    if (entries === null) await send(path)
    else {
      await using zip = await packEntries(path, entries, io.signal)
      await send(zip.path)
    }
  }
  for (const path of plan.libraries) await send(path, { fileName: basename(path) })
  for (const { path, debugIds } of plan.dartMaps) {
    for (const debugId of debugIds) await send(path, { debugId, fileName: basename(path) })
  }
  for (const { path, bundleName, identity } of plan.sourceMaps) await send(path, { bundleName, mapping: identity })
  for (const { path, identity } of plan.mappings) await send(path, { mapping: identity })
}

/** The server says what is wrong with a file that it refuses, but it does not know where the file is. */
function nameRefused(error: unknown, file: string): unknown {
  if (!(error instanceof RequestError) || ![400, 415, 422].includes(error.httpStatus)) return error
  return new CliError('refused', `The server does not take ${file}`, { cause: error })
}
