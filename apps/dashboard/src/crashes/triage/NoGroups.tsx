import { Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Bug } from 'lucide-react'
import { applicationQuery } from '../../applications/queries.ts'
import type { CrashGroupsSearch } from '../../early/crash-groups-search.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AnchorLink } from '../../ui/links.tsx'

interface NoGroupsProps {
  applicationId: number
  search: CrashGroupsSearch
  isFiltered: boolean
}

/** Says why the list of crash groups is empty, and what to do. */
export function NoGroups({ applicationId, search, isFiltered }: NoGroupsProps) {
  if (isFiltered) {
    const isOnlyStatus = Object.entries(search).every(([name, value]) => name === 'status' || value === undefined)
    return (
      <EmptyState icon={Bug} title="No crashes here">
        <Text c="dimmed">
          {isOnlyStatus && search.status !== 'all'
            ? `No crash group is ${search.status}.`
            : 'No crash group matches the filters.'}
        </Text>
        <AnchorLink to="/applications/$applicationId/crashes" params={{ applicationId }} search={{}}>
          Show open crashes
        </AnchorLink>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={Bug} title="No crashes">
      <Text c="dimmed">Crashes appear here when the app sends them.</Text>
      <CreateKeyLine applicationId={applicationId} />
      <AnchorLink to="/applications/$applicationId/crash-set-up" params={{ applicationId }}>
        Set the app up
      </AnchorLink>
    </EmptyState>
  )
}

/** The command that makes the key which an app sends its crashes with. */
function CreateKeyLine({ applicationId }: { applicationId: number }) {
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  return (
    <Stack w="100%" maw="40rem" miw={0}>
      <CodeBlock
        label="the command that makes a crash key"
        code={`fairlead crashes keys create Apps --app ${application.alias}`}
      />
    </Stack>
  )
}
