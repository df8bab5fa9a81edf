import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

/** How often the list looks whether a phone has opened the address, or the first build has come. */
export const watchMs = 2000

export const baseUrlQuery = queryOptions({ queryKey: ['base-url'], queryFn: () => client.access.getBaseUrl() })
