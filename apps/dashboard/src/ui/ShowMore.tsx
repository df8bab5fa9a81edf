import { Button, Group } from '@mantine/core'
import { useState } from 'react'

interface ShowMoreProps {
  /** Whether there is more than the list shows. */
  hasMore: boolean
  isLoading?: boolean
  onMore: () => void
}

/** The button below a list that shows its next page. */
export function ShowMore({ hasMore, isLoading = false, onMore }: ShowMoreProps) {
  if (!hasMore) return null
  return (
    <Group justify="center" mt="md">
      <Button variant="default" loading={isLoading} onClick={onMore}>
        Show more
      </Button>
    </Group>
  )
}

/** The rows that a long list gains at a time. */
const partSize = 200

/**
 * Shows a long list that is there as a whole part by part, because a browser is slow with thousands of rows.
 * `first` is the size of the first part, which is smaller where other things stand below the list.
 */
export function useParts<Item>(items: readonly Item[], { first = partSize } = {}) {
  const [limit, setLimit] = useState(first)
  return {
    shown: items.slice(0, limit),
    more: { hasMore: items.length > limit, onMore: () => setLimit(limit + partSize) },
  }
}
