import { z } from 'zod'

/** A text in an answer, with its example for the description of the API. */
export const text = (example: string) => z.string().meta({ examples: [example] })
