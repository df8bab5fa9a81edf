import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** The version of the server, as its package says it. */
export const { version: serverVersion } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')))
