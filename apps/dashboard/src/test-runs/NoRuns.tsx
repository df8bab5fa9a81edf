import { Stack, Text } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { applicationQuery } from '../applications/queries.ts'
import { baseUrlQuery } from '../getting-started/queries.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { toCompleteLine, toReportLine, toRunLine } from './upload-line.ts'

/** Says how CI sends test reports, in place of an empty list of runs. */
export function NoRuns({ applicationId }: { applicationId: number }) {
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const { data: server } = useQuery(baseUrlQuery)
  return (
    <EmptyState icon={FlaskConical} title="No test runs yet">
      <Text c="dimmed" ta="center" maw="40rem">
        Let CI run its tests by the command line. It sends the reports that they write, and fails the job only for
        failures that are neither flaky nor quarantined. The API token comes from <code>FAIRLEAD_TOKEN</code>.
      </Text>
      <Stack w="100%" maw="44rem" miw={0}>
        <CodeBlock
          label="the command that runs the tests"
          code={toRunLine(application, location.origin, server?.cliUrl ?? null)}
        />
        <Text size="sm" c="dimmed">
          Any other program can send JUnit XML, CTRF, Allure results, an .xcresult, what xcresulttool or am instrument
          print, or an archive of many:
        </Text>
        <CodeBlock label="the upload of test reports" code={toReportLine(application, location.origin)} />
        <Text size="sm" c="dimmed">
          The answer names the run. Uploads with equal run keys belong to one run, which is judged after an hour without
          uploads, when all its shards came, or when CI says that it is complete:
        </Text>
        <CodeBlock label="the end of a run" code={toCompleteLine(location.origin)} />
      </Stack>
    </EmptyState>
  )
}
