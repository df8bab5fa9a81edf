import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'

interface AfterProps {
  queries: readonly { isLoading: boolean }[]
  children: ReactNode
}

/**
 * Keeps a part of a page back until the queries of what stands above it have been answered, or have failed. An answer
 * that comes late would move it under the eyes of who reads it.
 */
export function After({ queries, children }: AfterProps) {
  return queries.some(({ isLoading }) => isLoading) ? <Skeleton height={240} /> : children
}
