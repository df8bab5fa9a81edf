import type { ServerAccount, ServerWorkspace } from '@fairlead/contract'
import { Badge, Group, Stack } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { formatBytes, formatCount } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'
import { serverAccountsQuery, serverWorkspacesQuery } from './queries.ts'

/** Shows administrators of the server all workspaces, with the storage they use, and all accounts. */
export function ServerPage() {
  const { data: workspaces } = useSuspenseQuery(serverWorkspacesQuery)
  const { data: accounts } = useSuspenseQuery(serverAccountsQuery)
  return (
    <>
      <PageHeader title="Server" description="All workspaces and accounts of this server." />
      <Stack gap="lg">
        <Panel title="Workspaces">
          <List label="Workspaces">
            {workspaces.map((workspace) => (
              <WorkspaceRow key={workspace.id} workspace={workspace} />
            ))}
          </List>
        </Panel>
        <Panel title="Accounts">
          <List label="Accounts">
            {accounts.map((account) => (
              <AccountRow key={account.id} account={account} />
            ))}
          </List>
        </Panel>
      </Stack>
    </>
  )
}

function WorkspaceRow({ workspace }: { workspace: ServerWorkspace }) {
  const { name, memberCount, buildCount, size, mailsLastHour, quotas } = workspace
  const limit = quotas.maxBytes === null ? '' : ` of ${formatBytes(quotas.maxBytes)}`
  return (
    <ListRow
      title={<bdi>{name}</bdi>}
      sub={`${formatCount(memberCount, 'member')} · ${formatCount(buildCount, 'build')} · ${formatBytes(size)}${limit}`}
      side={mailsLastHour === 0 ? undefined : `${formatCount(mailsLastHour, 'mail')} in the last hour`}
    />
  )
}

function AccountRow({ account }: { account: ServerAccount }) {
  const { name, email, isServerAdmin, isVerified, hasTwoFactor, lastUsedDate, workspaces } = account
  return (
    <ListRow
      title={
        <Group gap={8}>
          <bdi>{name}</bdi>
          {isServerAdmin && <Badge color="violet">Server administrator</Badge>}
          {!isVerified && <Badge color="yellow">Not verified</Badge>}
          {hasTwoFactor && <Badge color="harbor">Two-factor</Badge>}
          {workspaces.length === 0 && <Badge color="red">Closed</Badge>}
        </Group>
      }
      sub={
        <>
          {email}
          {workspaces.length > 0 && ` · ${workspaces.map((workspace) => workspace.name).join(', ')}`}
        </>
      }
      side={
        lastUsedDate === null ? (
          'No session'
        ) : (
          <>
            Last used <When date={lastUsedDate} />
          </>
        )
      }
    />
  )
}
