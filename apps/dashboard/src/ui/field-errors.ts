import { RequestError } from '@fairlead/client'

/** The server's faults by the field of the form they belong to: `/name` is the field `name`. */
export function toFieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof RequestError)) return {}
  return Object.fromEntries(
    error.faults.map(({ source, detail }) => [source.replace(/^\//, '').replaceAll('/', '.'), detail]),
  )
}
