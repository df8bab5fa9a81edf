import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const mailsQuery = infiniteQueryOptions({
  queryKey: ['mails'],
  queryFn: ({ pageParam }) => client.mails.listPage({ limit: 50, cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** Loads whether the server sends mails, and how many it holds. */
export const deliveryQuery = queryOptions({ queryKey: ['mail-delivery'], queryFn: () => client.mails.getDelivery() })

export const mailQuery = (id: number) => queryOptions({ queryKey: ['mail', id], queryFn: () => client.mails.get(id) })
