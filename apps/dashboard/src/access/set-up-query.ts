import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

/** Whether the server has its first workspace and its first account. Once it has both, that stays so. */
export const setUpQuery = queryOptions({
  queryKey: ['setUp'],
  queryFn: () => client.access.getSetUp(),
  staleTime: ({ state }) => (state.data?.isDone === true && state.data.hasAccount ? Infinity : 0),
})
