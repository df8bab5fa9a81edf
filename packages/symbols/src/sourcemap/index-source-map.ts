import { join } from 'node:path'
import type { SourceMapIndex } from '../symbols-index.ts'
import { buildSourceMap } from './build-source-map.ts'
import { toBundleName } from './bundle-name.ts'

/** Whether the first bytes of a file are those of a source map: a JSON object, behind a line that guards it perhaps. */
export function looksLikeSourceMap(head: Buffer): boolean {
  return /^(?:\uFEFF)?\s{0,1000}(?:\)\]\}'?[^\n]{0,1000}(?:\n\s{0,1000}|$))?\{/.test(head.toString('utf8'))
}

/** Builds the lookup file of a map that is a file of its own. Throws SymbolsError. */
export function indexSourceMap(path: string, outDir: string): SourceMapIndex {
  const lookupFile = join(outDir, 'source-map.map-lookup')
  const { file, debugId, lookupBytes, problems } = buildSourceMap(path, lookupFile)
  const bundleName = file === null ? null : toBundleName(file)
  return { kind: 'sourcemap', images: [{ bundleName, debugId, lookupFile, lookupBytes }], problems }
}
