/** The fields that several tools take. Each has one type, since some agents stumble over unions. */
import { z } from 'zod'
import { AgentError } from './agent-error.ts'

const defaultLimit = 20
const maxLimit = 50

const id = z.int().min(1)
export const describeId = (description: string) => id.describe(description)

export const applicationField = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/)
  .describe('Alias of the application, from list_applications')
export const queryField = (what: string) => z.string().max(200).optional().describe(`Text within ${what}`)
export const limitField = z.int().min(1).max(maxLimit).default(defaultLimit).describe('Rows, 20 if left out')
export const cursorField = z.string().max(200).optional().describe('nextCursor of the answer before')

/** Reads the cursor of a list that is ordered by ids. */
export function readIdCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  if (!/^[1-9]\d{0,14}$/.test(cursor)) throw new AgentError('invalidCursor')
  return Number(cursor)
}

/** Reads the cursor of a list with another order. */
export function readOrderedCursor(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && !/^[\w.+~-]{1,100}$/.test(cursor)) throw new AgentError('invalidCursor')
  return cursor
}
