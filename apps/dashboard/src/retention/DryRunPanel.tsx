import type { RetentionPreview, SaveRetention } from '@fairlead/contract'
import { Loader, Stack, Text } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'
import { previewQuery, runsQuery } from './queries.ts'

/** The dry run lists every build; this many are shown. */
const shownBuilds = 100

const keptWords: Record<keyof RetentionPreview['kept'], string> = {
  pinned: 'pinned',
  recent: 'less than a day old',
  newestOfBranch: 'newest of their branch',
  latest: 'newest of a group or a latest link',
  distributed: 'distributed lately',
}

const keptReasons = ['pinned', 'recent', 'newestOfBranch', 'latest', 'distributed'] as const

/** Shows what rules would take now, while they are edited. */
export function DryRunPanel({ applicationId, rules }: { applicationId: number; rules: SaveRetention }) {
  const { data: runs } = useSuspenseQuery(runsQuery(applicationId))
  const { data, error } = useQuery(previewQuery(applicationId, rules, runs))
  return (
    <Panel title="Dry run">
      <ErrorNotice error={error} />
      {!data && !error && <Loader size="sm" />}
      {data && <Findings preview={data} />}
    </Panel>
  )
}

function Findings({ preview }: { preview: RetentionPreview }) {
  const { candidateCount, candidateBytes, freedBytes, last30Days, kept, builds } = preview
  const keeps = keptReasons.flatMap((reason) => (kept[reason] === 0 ? [] : [`${kept[reason]} ${keptWords[reason]}`]))
  return (
    <Stack gap="sm">
      <Text aria-live="polite">
        {candidateCount === 0
          ? 'These rules would take no build now.'
          : `These rules would take ${formatCount(candidateCount, 'build')} of ${formatBytes(candidateBytes)} now. ` +
            `The disk would gain ${formatBytes(freedBytes)}.`}
      </Text>
      {candidateCount > 0 && (
        <Text size="sm">
          {formatCount(last30Days.candidateCount, 'build')} of them, {formatBytes(last30Days.candidateBytes)}, would
          have gone in the last 30 days.
        </Text>
      )}
      {keeps.length > 0 && (
        <Text size="sm" c="dimmed">
          Kept all the same: {keeps.join(', ')}.
        </Text>
      )}
      {builds.length > 0 && (
        <List label="Builds that would go">
          {builds.slice(0, shownBuilds).map(({ id, shortVersion, version, branch, uploadedDate, size, rule }) => (
            <ListRow
              key={id}
              title={
                <Link to="/builds/$buildId" params={{ buildId: id }} className={rowLink}>
                  {shortVersion} ({version})
                </Link>
              }
              sub={`${branch ?? 'no branch'} · rule ${rule + 1} · ${formatBytes(size)}`}
              side={<When date={uploadedDate} />}
            />
          ))}
        </List>
      )}
      {candidateCount > shownBuilds && (
        <Text size="sm" c="dimmed">
          And {formatCount(candidateCount - shownBuilds, 'older build')}.
        </Text>
      )}
    </Stack>
  )
}
