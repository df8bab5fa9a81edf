/** What sentry-cli sends about releases. Fields that nothing here uses are passed over. */
import { ApiError } from '@fairlead/contract'
import { z } from 'zod'

/** Sentry's own limits: no control characters, and no more than 200 characters. */
const Text = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u)
const Projects = z
  .array(z.union([z.string(), z.int()]).transform(String))
  .max(100)
  .nullish()
  .transform((value) => value ?? [])
const Address = z.url({ protocol: /^https?$/ }).max(2000)
const When = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const Sha = z.string().regex(/^[0-9a-zA-Z._/-]{1,64}$/)

export const ReleaseUpdate = z.object({
  projects: Projects,
  url: Address.nullish(),
  status: z.enum(['open', 'archived']).nullish(),
  dateReleased: When.nullish(),
  commits: z
    .array(z.object({ id: Sha }))
    .max(10_000)
    .optional(),
  refs: z
    .array(z.object({ commit: Sha }))
    .max(1000)
    .optional(),
})
export type ReleaseUpdate = z.infer<typeof ReleaseUpdate>

export const NewRelease = ReleaseUpdate.extend({ version: Text })

export const NewDeploy = z.object({
  projects: Projects,
  environment: z.string().min(1).max(64),
  name: z.string().max(200).nullish(),
  url: Address.nullish(),
  dateStarted: When.nullish(),
  dateFinished: When.nullish(),
})

/** @throws {ApiError} malformedJson, invalidRequest */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  let value: unknown
  try {
    value = JSON.parse(Buffer.isBuffer(body) ? body.toString('utf8') : '')
  } catch (cause) {
    throw new ApiError('malformedJson', { cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => ({ source: `/${path.join('/')}`, detail: message }))
  throw new ApiError('invalidRequest', { faults: faults.slice(0, 20), cause: parsed.error })
}
