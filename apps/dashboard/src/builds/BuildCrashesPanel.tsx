import type { Build } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CodeName } from '../ui/CodeName.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { buildCrashesQuery } from './queries.ts'

/** Shows the crash groups of a build's release, the newest first. */
export function BuildCrashesPanel({ build }: { build: Build }) {
  const { applicationId, id: buildId, shortVersion, version } = build
  const { data: groups } = useQuery(buildCrashesQuery(applicationId, buildId))
  if (!groups) return null
  return (
    <Panel title="Crashes">
      {groups.length === 0 ? (
        <Text size="sm" c="dimmed">
          No crash of this release was sent.
        </Text>
      ) : (
        <List label="Crashes of this release">
          {groups.map(({ id: crashGroupId, title, culprit, firstRelease }) => {
            const isNew = firstRelease?.version === version && firstRelease.shortVersion === shortVersion
            return (
              <ListRow
                key={crashGroupId}
                title={
                  <Link
                    to="/applications/$applicationId/crashes/$crashGroupId"
                    params={{ applicationId, crashGroupId }}
                    className={`${rowLink} break`}
                  >
                    <CodeName>{title}</CodeName>
                  </Link>
                }
                sub={
                  <span className="break">
                    {[culprit, isNew ? 'new in this release' : null].filter(Boolean).join(' · ')}
                  </span>
                }
              />
            )
          })}
        </List>
      )}
      {groups.length > 0 && (
        <AnchorLink
          to="/applications/$applicationId/crashes"
          params={{ applicationId }}
          search={{ build: buildId }}
          size="sm"
        >
          All crashes of this release
        </AnchorLink>
      )}
    </Panel>
  )
}
