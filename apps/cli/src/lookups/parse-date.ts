import { CliError } from '../cli-error.ts'

/** A date or an instant of a flag → an instant of the API. Throws `usage`. */
export function parseDate(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new CliError('usage', `${JSON.stringify(text)} is not a date such as 2030-01-31`)
  return new Date(time).toISOString()
}
