/**
 * Indexes an upload and exits: `node bench/index-once.ts <file> <folder>`. The caller's measurement covers the main
 * thread and the worker.
 */
import { indexSymbols } from '../src/index-symbols.ts'

const [path, outDir] = process.argv.slice(2)
await indexSymbols(path ?? '', outDir ?? '')
