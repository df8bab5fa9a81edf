import { tokenPattern } from '@fairlead/contract'

/** Returns what an `Authorization` header holds after `Bearer`. */
export function readBearer(header: string | undefined): string | undefined {
  return /^bearer\s{1,4}(\S{1,500})$/i.exec(header ?? '')?.[1]
}

/**
 * Returns the API token of an `Authorization` header. A proxy may put a token of its own there, which has another form
 * and says nothing about the caller.
 */
export function readBearerToken(header: string | undefined): string | undefined {
  const bearer = readBearer(header)
  return bearer !== undefined && tokenPattern.test(bearer) ? bearer : undefined
}
