import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { latestLinksQuery } from '../latest-links/queries.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { useIsIdle } from '../ui/when-idle.ts'
import classes from './overview.module.css'

/** This many latest links can be copied here; their page has all of them. */
const maxShown = 3

/** Copies the links that always show the newest build. Its place is kept until they are loaded. */
export function LatestLinksLine({ applicationId }: { applicationId: number }) {
  const isIdle = useIsIdle()
  const { data: links } = useQuery({ ...latestLinksQuery(applicationId), enabled: isIdle })
  const usable = links?.filter(({ isRevoked }) => !isRevoked) ?? []
  return (
    <Group gap={6} className={classes['latest']}>
      <AnchorLink to="/applications/$applicationId/links" params={{ applicationId }} size="sm">
        Latest links
      </AnchorLink>
      {usable.slice(0, maxShown).map(({ id, name, url }) => (
        <Group key={id} gap={2} wrap="nowrap" miw={0}>
          <Text size="sm" truncate maw="10rem" title={name}>
            {name}
          </Text>
          <CopyButton value={url} label={`Copy the latest link ${name}`} />
        </Group>
      ))}
    </Group>
  )
}
