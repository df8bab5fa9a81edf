import type { ApplicationOverview } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { toReleaseText } from '../crashes/release-text.ts'
import { CodeName } from '../ui/CodeName.tsx'
import { formatCount } from '../ui/format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'
import { formatSome } from '../ui/rates.ts'

interface NewGroupsPanelProps {
  applicationId: number
  groups: ApplicationOverview['newCrashGroups']
}

/** The new groups with most crashes, which nobody has resolved or ignored yet. */
export function NewGroupsPanel({ applicationId, groups: { count, worst } }: NewGroupsPanelProps) {
  return (
    <Panel
      title="New crashes"
      actions={
        <AnchorLink
          to="/applications/$applicationId/crashes"
          params={{ applicationId }}
          search={{ sort: 'firstSeen' }}
          size="sm"
        >
          All crashes, newest first
        </AnchorLink>
      }
    >
      {worst.length === 0 ? (
        <Text size="sm" c="dimmed">
          No new crash in the last 14 days.
        </Text>
      ) : (
        <>
          {count > worst.length && (
            <Text size="sm" c="dimmed" mb="xs">
              The {worst.length} of {formatSome(count, 'new group')} with most crashes.
            </Text>
          )}
          <List label="Worst new crashes">
            {worst.map((group) => (
              <ListRow
                key={group.id}
                title={
                  <Link
                    to="/applications/$applicationId/crashes/$crashGroupId"
                    params={{ applicationId, crashGroupId: group.id }}
                    className={`${rowLink} break`}
                  >
                    <CodeName>{group.title}</CodeName>
                  </Link>
                }
                sub={
                  <span className="break">
                    <CodeName>{group.message ?? group.culprit ?? ''}</CodeName>
                    {(group.message ?? group.culprit) !== null && <br />}
                    {formatCount(group.crashCount, 'crash', 'crashes')} ·{' '}
                    {formatCount(group.installCount, 'person', 'people')}
                    {group.firstRelease && ` · since ${toReleaseText(group.firstRelease)}`} ·{' '}
                    <When date={group.firstSeenDate} />
                  </span>
                }
              />
            ))}
          </List>
        </>
      )}
    </Panel>
  )
}
