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

/** Shows a long list that is there as a whole page by page, because a browser is slow with thousands of rows. */
export function useParts<Item>(items: readonly Item[], size = 200) {
  const [limit, setLimit] = useState(size)
  return {
    shown: items.slice(0, limit),
    more: { hasMore: items.length > limit, onMore: () => setLimit(limit + size) },
  }
}
