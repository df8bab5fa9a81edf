import { Skeleton, Stack } from '@mantine/core'

/** Shows placeholders of about the page's shape while it loads, so that the layout shifts little. */
export function RoutePending() {
  return (
    <Stack gap="lg" aria-busy="true" aria-label="Loading" role="status">
      <Skeleton height={32} width="40%" maw={280} />
      <Stack gap="sm">
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} height={56} />
        ))}
      </Stack>
    </Stack>
  )
}
