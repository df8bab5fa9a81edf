import { ApiError, type Test, type UpdateTest } from '@fairlead/contract'
import type { Db } from '../db/open.ts'
import { describeTests, requireTestRow, updateTestRow } from './test-store.ts'

/**
 * Sets the owner of a test, or hides it as an earlier name of another test.
 *
 * @throws {ApiError} testNotFound, unknownTest
 */
export async function updateTest(db: Db, workspaceId: number, id: number, input: UpdateTest): Promise<Test> {
  const test = await requireTestRow(db, workspaceId, id)
  if (input.mergedInto !== undefined && input.mergedInto !== null) {
    const target = await requireTestRow(db, workspaceId, input.mergedInto).catch(() => undefined)
    if (target?.application_id !== test.application_id || target.id === id || target.merged_into !== null) {
      throw new ApiError('unknownTest', { faults: [{ source: '/mergedInto', detail: 'is no other test here' }] })
    }
  }
  await updateTestRow(db, id, input)
  const [updated] = await describeTests(db, [await requireTestRow(db, workspaceId, id)])
  if (!updated) throw new ApiError('testNotFound')
  return updated
}
