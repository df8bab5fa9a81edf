import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { IndexAnswer } from './index-symbols.ts'
import { readSymbols } from './read-symbols.ts'
import { SymbolsError } from './symbols-error.ts'

async function answer(): Promise<IndexAnswer> {
  const { path, outDir } = workerData as { path: string; outDir: string }
  try {
    return { index: await readSymbols(path, outDir) }
  } catch (error) {
    if (error instanceof SymbolsError) return { error: { code: error.code, detail: error.detail } }
    throw error
  }
}

const port = parentPort as MessagePort // this file only runs as a worker
port.postMessage(await answer(), [])
