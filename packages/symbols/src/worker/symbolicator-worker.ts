/** A symbolicator's process. It keeps the report that was inspected last until it is resolved or forgotten. */
import { answerRequests } from '@fairlead/workers'
import { readReport, type ReadReport } from '../read-report.ts'
import { SymbolsError } from '../symbols-error.ts'
import { limitAnswer } from './limit-answer.ts'
import type { SymbolicatedReport } from '../symbolicated.ts'
import type { SymbolicatorAnswer, SymbolicatorRequest, SymbolsPaths, WrittenReport } from './messages.ts'

let inspected: ReadReport | undefined

async function answer(request: SymbolicatorRequest): Promise<SymbolicatorAnswer> {
  try {
    if (request.verb === 'inspect') {
      const { text, platform } = request
      inspected = readReport(text, platform)
      return { contents: inspected.contents }
    }
    const report = inspected
    inspected = undefined
    if (request.verb === 'forget') return { isForgotten: true }
    if (!report) throw new Error('No report was inspected before.')
    const resolved = await resolve(report, request.paths)
    return request.verb === 'resolve' ? { report: resolved } : { written: write(resolved) }
  } catch (error) {
    if (error instanceof SymbolsError) return { error: { code: error.code, detail: error.detail } }
    throw error
  }
}

async function resolve(report: ReadReport, paths: SymbolsPaths) {
  const { lookupFiles = {}, mappingFiles = [], dartMaps = {}, sourceMaps = {}, warnings = [] } = paths
  const mapOf = new Map(Object.entries(sourceMaps))
  const byUuid = new Map(Object.entries(lookupFiles).map(([uuid, path]) => [uuid.toUpperCase(), path]))
  const resolved = await report.resolve({
    findImage: ({ uuid }) => byUuid.get(uuid.toUpperCase()),
    findMapping: () => mappingFiles,
    findDartMap: (debugId) => dartMaps[debugId],
    findSourceMap: (bundleName) => mapOf.get(bundleName),
  })
  return limitAnswer({ ...resolved, warnings: [...resolved.warnings, ...warnings] })
}

function write({ usedImages, usedMappings, ...rest }: SymbolicatedReport): WrittenReport {
  const json = new TextEncoder().encode(JSON.stringify(rest))
  return { json, usedLookupFiles: usedImages.map(({ lookupFile }) => lookupFile), usedMappings }
}

answerRequests(answer)
