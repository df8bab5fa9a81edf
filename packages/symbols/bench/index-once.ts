/**
 * Indexes an upload and ends: `node bench/index-once.ts <file> <folder>`. The main thread and the worker are both
 * counted.
 */
import { indexSymbols } from '../src/index-symbols.ts'

const [path, outDir] = process.argv.slice(2)
await indexSymbols(path ?? '', outDir ?? '')
