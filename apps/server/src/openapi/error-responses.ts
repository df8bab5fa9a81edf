import { type ErrorCode, type ErrorObject, errorTable } from '@fairlead/contract'
import type { Response } from './document.ts'

/** The facts about a route that decide which errors it can answer with. */
export interface ErrorFacts {
  isPublic: boolean
  hasPathParameters: boolean
  hasQuery: boolean
  body: 'none' | 'json' | 'raw'
  /** Errors that only this route has. */
  own: readonly ErrorCode[]
}

/** Lists the errors of a route: those that all routes of its kind have, and its own. */
export function listErrors({ isPublic, hasPathParameters, hasQuery, body, own }: ErrorFacts): ErrorCode[] {
  const codes: ErrorCode[] = []
  if (body === 'json') codes.push('malformedJson')
  if (body !== 'none' || hasQuery) codes.push('invalidRequest')
  if (!isPublic) codes.push('unauthorized', 'forbidden')
  if (hasPathParameters && !own.some((code) => errorTable[code].status === 404)) codes.push('notFound')
  if (body === 'json') codes.push('slowBody', 'unsupportedMediaType')
  if (body === 'raw') codes.push('idleUpload', 'truncatedBody')
  if (body !== 'none') codes.push('tooLarge')
  return [...new Set([...codes, ...own])]
}

/** Describes errors by status. Each error of a status is one of its examples. */
export function describeErrors(codes: ErrorCode[]): Record<string, Response> {
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status)
  const statuses = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(statuses.map(([status, own]) => [String(status), describeStatus(own)]))
}

function describeStatus(codes: ErrorCode[]): Response {
  return {
    description: codes.map((code) => errorTable[code].detail).join('. Or: '),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: errorTable[code].detail, value: toExample(code) }]),
        ),
      },
    },
  }
}

function toExample(code: ErrorCode): ErrorObject {
  const { status: httpStatus, title, detail } = errorTable[code]
  return {
    id: '7d9f3c1e-52a8-4b6d-9e0f-1a2b3c4d5e6f',
    httpStatus,
    title,
    detail,
    ...(code === 'invalidRequest' && { errors: [{ source: '/name', detail: 'is missing' }] }),
  }
}
