import type { Test } from '@fairlead/contract'
import { queryClient } from '../api/client.ts'

/** Asks again for a test that was changed, and drops the lists that it may have joined or left. */
export async function reloadTest({ id, applicationId }: Test): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['tests', id], exact: true })
  queryClient.removeQueries({ queryKey: ['applications', applicationId, 'tests'] })
}
