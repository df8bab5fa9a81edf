/** The process of `indexSymbols`. */
import { answerRequests } from '@fairlead/workers'
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

answerRequests(answer)
