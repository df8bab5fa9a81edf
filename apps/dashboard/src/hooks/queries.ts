import type { Hook } from '@fairlead/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

/** How often a page looks for the outcome of deliveries that wait, in milliseconds. */
const refreshMs = 3000

export const hooksQuery = queryOptions({ queryKey: ['hooks'], queryFn: () => client.hooks.list() })

export const hookQuery = (id: number) =>
  queryOptions({
    queryKey: ['hooks', id],
    queryFn: () => client.hooks.get(id),
    refetchInterval: ({ state }) => toInterval(state.data),
  })

export const hookDeliveriesQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['hooks', id, 'deliveries'],
    queryFn: ({ pageParam }) => client.hooks.listDeliveries(id, { limit: 50, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.items.some((delivery) => delivery.state === 'waiting') === true && refreshMs,
  })

export const hookDeliveryQuery = (id: number) =>
  queryOptions({ queryKey: ['hook-deliveries', id], queryFn: () => client.hooks.getDelivery(id) })

function toInterval(hook: Hook | undefined): number | false {
  return hook !== undefined && hook.waitingCount > 0 && refreshMs
}
