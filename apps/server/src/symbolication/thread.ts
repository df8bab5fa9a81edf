/** The other side of `Symbolicator`: reads lookup files and mappings away from the thread that answers requests. */
import { parentPort } from 'node:worker_threads'
import { symbolicate, SymbolsError } from '@fairlead/symbols'
import { type SymbolicateAnswer, type SymbolicateRequest, toImageKey } from './messages.ts'

parentPort?.on('message', (request: SymbolicateRequest) => {
  void answer(request).then((result) => parentPort?.postMessage(result))
})

async function answer({ text, lookupFiles, mappingFiles }: SymbolicateRequest): Promise<SymbolicateAnswer> {
  try {
    const report = await symbolicate(text, {
      findImage: ({ uuid }) => lookupFiles[toImageKey(uuid)],
      findMapping: () => mappingFiles,
    })
    return { report }
  } catch (error) {
    if (error instanceof SymbolsError) return { error: { code: error.code, detail: error.detail } }
    throw error
  }
}
