import { z } from 'zod'

/** An id in a path. What is not a positive integer names nothing: it becomes 0, which nothing has, and so a 404. */
export const PathId = z
  .string()
  .meta({ type: 'integer', minimum: 1 })
  .transform((text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0))
