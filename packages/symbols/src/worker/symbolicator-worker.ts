/**
 * A symbolicator's process. It keeps the report that was inspected last until it is resolved or forgotten, and the JSON
 * of a resolved one until its last piece was sent.
 */
import { answerRequests } from '@fairlead/workers'
import { readReport, type ReadReport } from '../read-report.ts'
import { SymbolsError } from '../symbols-error.ts'
import { limitAnswer } from './limit-answer.ts'
import type { SymbolicatedReport } from '../symbolicated.ts'
import { messageBytes, type SymbolicatorAnswer, type SymbolicatorRequest, type SymbolsPaths } from './messages.ts'

let received: Uint8Array[] = []
let inspected: ReadReport | undefined
let written: Uint8Array[] = []

async function answer(request: SymbolicatorRequest): Promise<SymbolicatorAnswer> {
  try {
    if (request.verb === 'receive') {
      if (request.isFirst) forget()
      received.push(...request.pieces)
      return { isReceived: true }
    }
    if (request.verb === 'send') {
      const piece = written.shift()
      if (!piece) throw new Error('No piece is left.')
      return { piece }
    }
    if (request.verb === 'inspect') {
      const { text, platform } = request
      const whole = typeof text === 'string' ? text : join([...received, ...text])
      forget()
      inspected = readReport(whole, platform)
      return { contents: inspected.contents }
    }
    const report = inspected
    forget()
    if (request.verb === 'forget') return { isForgotten: true }
    if (!report) throw new Error('No report was inspected before.')
    const resolved = await resolve(report, request.paths)
    return request.verb === 'resolve' ? { report: resolved } : write(resolved)
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

function write({ usedImages, usedMappings, ...rest }: SymbolicatedReport): SymbolicatorAnswer {
  const json = new TextEncoder().encode(JSON.stringify(rest))
  for (let start = 0; start < json.length; start += messageBytes)
    written.push(json.subarray(start, start + messageBytes))
  const usedLookupFiles = usedImages.map(({ lookupFile }) => lookupFile)
  return { written: { usedLookupFiles, usedMappings }, pieces: written.length }
}

function join(pieces: Uint8Array[]): Uint8Array {
  const [only] = pieces
  return only && pieces.length === 1 ? only : Buffer.concat(pieces)
}

function forget(): void {
  received = []
  inspected = undefined
  written = []
}

answerRequests(answer)
