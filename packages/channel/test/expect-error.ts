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
  const [settled] = await Promise.allSettled([promise])
  assert.ok(settled.status === 'rejected')
  assert.ok(settled.reason instanceof XPCError, String(settled.reason))
  return settled.reason
}
