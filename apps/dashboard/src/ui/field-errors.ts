import { RequestError } from '@fairlead/client'

/** Maps the server's faults to the fields of a form: the JSON pointer `/name` becomes the field `name`. */
export function toFieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof RequestError)) return {}
  return Object.fromEntries(
    error.faults.map(({ source, detail }) => [source.replace(/^\//, '').replaceAll('/', '.'), detail]),
  )
}
