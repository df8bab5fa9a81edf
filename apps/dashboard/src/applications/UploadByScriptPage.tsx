import { Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCan } from '../api/session.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { CopyField } from '../ui/CopyField.tsx'
import { Panel } from '../ui/Panel.tsx'
import { toCurlLines } from './curl-lines.ts'
import { applicationQuery } from './queries.ts'

const route = getRouteApi('/shell/applications/$applicationId/ci')

/** Shows the commands of a CI job, ready to be pasted. */
export function UploadByScriptPage() {
  const { applicationId } = route.useParams()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const isAdmin = useCan('admin')
  const lines = toCurlLines(application, location.origin)
  return (
    <Stack gap="lg">
      <Panel title="What the job needs">
        <Stack>
          <CopyField label="Alias" value={application.alias} maw="28rem" />
          <Text size="sm" c="dimmed">
            The lines below take the API token from the variable <code>FAIRLEAD_TOKEN</code>. The role developer is
            enough for it. {isAdmin ? <Link to="/tokens">Create a token</Link> : 'An administrator can create one.'}
          </Text>
        </Stack>
      </Panel>
      <Panel title="Upload a build">
        <CodeBlock label="the upload" code={lines.upload} />
      </Panel>
      <Panel title={application.platform === 'android' ? 'Upload the mapping' : 'Upload the dSYMs'}>
        <CodeBlock label="the upload of symbols" code={lines.symbols} />
      </Panel>
      <Panel title="Distribute a build to a group">
        <CodeBlock label="the distribution" code={lines.distribute} />
      </Panel>
    </Stack>
  )
}
