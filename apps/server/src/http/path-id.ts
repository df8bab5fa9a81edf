import { z } from 'zod'

/** An id in a path. Anything that is not a positive integer becomes 0, which no row has, so the answer is 404. */
export const PathId = z
  .string()
  .meta({ type: 'integer', minimum: 1 })
  .transform((text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0))
