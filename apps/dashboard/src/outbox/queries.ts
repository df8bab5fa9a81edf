import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const mailsQuery = infiniteQueryOptions({
  queryKey: ['mails'],
  queryFn: ({ pageParam }) => client.mails.listPage({ limit: 50, cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

export const mailQuery = (id: number) => queryOptions({ queryKey: ['mail', id], queryFn: () => client.mails.get(id) })
