/** A symbolicator's process. It keeps the report that was inspected last until it is resolved or forgotten. */
import { answerRequests } from '@fairlead/binary/answer-requests'
import { readReport, type ReadReport } from '../read-report.ts'
import { SymbolsError } from '../symbols-error.ts'
import { limitAnswer } from './limit-answer.ts'
import type { SymbolicatorAnswer, SymbolicatorRequest, SymbolsPaths } from './messages.ts'

let inspected: ReadReport | undefined

async function answer(request: SymbolicatorRequest): Promise<SymbolicatorAnswer> {
  try {
    if (request.verb === 'inspect') {
      inspected = readReport(request.text, request.platform)
      return { contents: inspected.contents }
    }
    const report = inspected
    inspected = undefined
    if (request.verb === 'forget') return { isForgotten: true }
    if (!report) throw new Error('No report was inspected before.')
    return { report: await resolve(report, request.paths) }
  } catch (error) {
    if (error instanceof SymbolsError) return { error: { code: error.code, detail: error.detail } }
    throw error
  }
}

async function resolve(report: ReadReport, { lookupFiles = {}, mappingFiles = [] }: SymbolsPaths) {
  const byUuid = new Map(Object.entries(lookupFiles).map(([uuid, path]) => [uuid.toUpperCase(), path]))
  const resolved = await report.resolve({
    findImage: ({ uuid }) => byUuid.get(uuid.toUpperCase()),
    findMapping: () => mappingFiles,
  })
  return limitAnswer(resolved)
}

answerRequests(answer)
