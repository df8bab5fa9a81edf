import { Skeleton } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'

interface AfterProps {
  queries: readonly { isLoading: boolean }[]
  children: ReactNode
}

/**
 * Keeps a part of a page back until the queries of what stands above it have been answered, or have failed, and until
 * scripts inside that are loaded by `lazyWithin` are there. What comes late would move it under the eyes of readers.
 */
export function After({ queries, children }: AfterProps) {
  const placeholder = <Skeleton height={240} />
  if (queries.some(({ isLoading }) => isLoading)) return placeholder
  return <Suspense fallback={placeholder}>{children}</Suspense>
}
