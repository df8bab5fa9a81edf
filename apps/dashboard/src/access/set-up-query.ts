import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

/** Whether the server has its first account. Once it has, that stays so. */
export const setUpQuery = queryOptions({
  queryKey: ['setUp'],
  queryFn: () => client.access.getSetUp(),
  staleTime: ({ state }) => (state.data?.isDone === true ? Infinity : 0),
})
