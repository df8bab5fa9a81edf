import assert from 'node:assert/strict'
import { XPCError } from '@fairlead/channel'

/** Returns the XPCError that the call throws. */
export function catchError(call: () => unknown): XPCError {
  try {
    call()
  } catch (error) {
    assert.ok(error instanceof XPCError, String(error))
    return error
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' })
}

export async function catchRejection(promise: Promise<unknown>): Promise<XPCError> {
  const [{ status, reason }] = (await Promise.allSettled([promise])) as [PromiseRejectedResult]
  assert.equal(status, 'rejected')
  assert.ok(reason instanceof XPCError, String(reason))
  return reason
}
