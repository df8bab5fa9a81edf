import { List, Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../api/session.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { CopyField } from '../ui/CopyField.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Panel } from '../ui/Panel.tsx'
import { workspaceQuery } from '../workspace/queries.ts'
import { toAgentLines } from './connect-lines.ts'

const mayWrite =
  'Agents that use /mcp/write with a token of a developer may set the status of crashes, quarantine tests and write ' +
  'release notes.'
const mayNotWrite = 'Nothing can be changed at /mcp/write, either, until an administrator allows it.'

/** Says how a coding agent is connected to this workspace. */
export function AgentsPage() {
  const isAdmin = useCan('admin')
  const { data: workspace } = useSuspenseQuery(workspaceQuery)
  return (
    <>
      <PageHeader
        title="Coding agents"
        description="An agent that is connected reads builds, crashes, symbols and tests of this workspace."
      />
      <Stack gap="lg">
        <Panel title="What the agent needs">
          <Stack>
            <CopyField label="Address" value={`${location.origin}/mcp`} maw="34rem" />
            <Text size="sm" c="dimmed">
              The lines below take an API token from the variable <code>FAIRLEAD_TOKEN</code>; the role viewer is enough
              for it. {isAdmin ? <Link to="/tokens">Create a token</Link> : 'An administrator can create one'}. Keep it
              out of files that are committed.
            </Text>
          </Stack>
        </Panel>
        {toAgentLines(location.origin).map(({ agent, place, lines }) => (
          <Panel key={agent} title={agent}>
            <Stack gap="xs">
              <Text size="sm" c="dimmed">
                {place}
              </Text>
              <CodeBlock label={`the lines for ${agent}`} code={lines} />
            </Stack>
          </Panel>
        ))}
        <Panel title="What strangers can write">
          <Text size="sm">
            Whoever has the app can send crashes, and a pull request from outside names tests and branches. An agent
            reads such text, so answers keep it under the key <code>untrusted</code>, cleaned and cut. Marking does not
            make a model obey; what protects is that little can be done from here:
          </Text>
          <List size="sm" mt="xs">
            <List.Item>
              At <code>/mcp</code> nothing can be changed, whatever the token may do.
            </List.Item>
            <List.Item>A token sees one workspace, and what the API shows it.</List.Item>
            <List.Item>{workspace.agentWrites ? mayWrite : mayNotWrite}</List.Item>
          </List>
          {isAdmin && (
            <Text size="sm" mt="xs">
              <Link to="/workspace">Settings of the workspace</Link>
            </Text>
          )}
        </Panel>
      </Stack>
    </>
  )
}
