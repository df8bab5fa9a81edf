import { RequestError } from '@fairlead/client'

/** Tells whether the same request may succeed later: not if the server understood it and refused it. */
export function mayPass(error: Error): boolean {
  if (!(error instanceof RequestError)) return true
  const { httpStatus } = error
  return httpStatus < 400 || httpStatus >= 500 || httpStatus === 408 || httpStatus === 429
}
