import type { CrashGroup } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { List, ListRow, rowLink } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'
import { crashTestFailuresQuery } from './queries.ts'

/** Shows the tests that fail with the same exception in the same method as the crashes of a group, if there are any. */
export function TestFailuresPanel({ group }: { group: CrashGroup }) {
  const { data: failures = [] } = useQuery(crashTestFailuresQuery(group.id))
  if (failures.length === 0) return null
  return (
    <Panel title="Tests that fail like this">
      <Text size="sm" mb="xs">
        They failed with the same exception in the same method.
      </Text>
      <List label="Tests that fail like this">
        {failures.map(({ failureId, testId, testName, runDate }) => (
          <ListRow
            key={failureId}
            title={
              <a href={`/applications/${group.applicationId}/tests/${testId}`} className={`${rowLink} break`}>
                {testName}
              </a>
            }
            sub={
              <>
                Failed <When date={runDate} />
              </>
            }
          />
        ))}
      </List>
    </Panel>
  )
}
