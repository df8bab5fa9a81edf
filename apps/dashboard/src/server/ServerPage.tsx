import type { ServerAccount, ServerWorkspace } from '@fairlead/contract'
import { Badge, Button, Group, Stack } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { formatBytes, formatCount } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { DisableDialog } from './DisableDialog.tsx'
import { ProvidersPanel } from './ProvidersPanel.tsx'
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
        <Panel title="Providers">
          <ProvidersPanel />
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
  const { id, name, email, isServerAdmin, isVerified, hasTwoFactor, isDisabled, lastUsedDate, workspaces } = account
  const isMe = useSession()?.account.id === id
  const [isDisabling, setIsDisabling] = useState(false)
  const enable = useMutation({
    mutationFn: () => client.security.updateServerAccount(id, { isDisabled: false }),
    onError: tellFailure,
  })
  return (
    <ListRow
      title={
        <Group gap={8}>
          <bdi>{name}</bdi>
          {isServerAdmin && <Badge color="violet">Server administrator</Badge>}
          {!isVerified && <Badge color="yellow">Not verified</Badge>}
          {hasTwoFactor && <Badge color="harbor">Two-factor</Badge>}
          {workspaces.length === 0 && <Badge color="red">Closed</Badge>}
          {isDisabled && <Badge color="red">Disabled</Badge>}
          {isDisabling && <DisableDialog account={account} onClose={() => setIsDisabling(false)} />}
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
      actions={
        !isMe && (
          <Button
            size="compact-sm"
            variant="default"
            loading={enable.isPending}
            onClick={() => (isDisabled ? enable.mutate() : setIsDisabling(true))}
            aria-label={`${isDisabled ? 'Enable' : 'Disable'} ${name}`}
          >
            {isDisabled ? 'Enable' : 'Disable'}
          </Button>
        )
      }
    />
  )
}
