/** The thread of `indexSymbols`. */
import { parentPort } from 'node:worker_threads'
import type { IndexAnswer, IndexRequest } from './index-symbols.ts'
import { readSymbols } from './read-symbols.ts'
import { SymbolsError } from './symbols-error.ts'

async function answer({ path, outDir }: IndexRequest): Promise<IndexAnswer> {
  try {
    return { index: await readSymbols(path, outDir) }
  } catch (error) {
    if (error instanceof SymbolsError) return { error: { code: error.code, detail: error.detail } }
    throw error
  }
}

parentPort?.on('message', (request: IndexRequest) => {
  void answer(request).then((given) => parentPort?.postMessage(given, []))
})
