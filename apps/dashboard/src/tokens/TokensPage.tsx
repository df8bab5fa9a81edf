import type { ApiToken } from '@fairlead/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { formatDay } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { roleNames } from '../ui/role-names.ts'
import { When } from '../ui/When.tsx'
import { apiTokensQuery } from './queries.ts'
import { TokenDialog } from './TokenDialog.tsx'

export function TokensPage() {
  const { data: tokens } = useSuspenseQuery(apiTokensQuery)
  const [isCreating, dialog] = useDisclosure()
  const [revoked, setRevoked] = useState<ApiToken | null>(null)
  const createButton = (
    <Button leftSection={<Plus size={16} />} onClick={dialog.open}>
      New token
    </Button>
  )
  return (
    <>
      <PageHeader
        title="API tokens"
        description="CI and scripts authenticate with these tokens. Each belongs to the workspace, not to a person."
      >
        {tokens.length > 0 && createButton}
      </PageHeader>
      {tokens.length === 0 ? (
        <EmptyState icon={KeyRound} title="No tokens">
          <Text c="dimmed">CI needs one to upload builds.</Text>
          {createButton}
        </EmptyState>
      ) : (
        <List label="API tokens">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoked(token)} />
          ))}
        </List>
      )}
      {isCreating && <TokenDialog onClose={dialog.close} />}
      {revoked && (
        <ConfirmDialog
          title="Revoke the token"
          action="Revoke it"
          onConfirm={() => client.apiTokens.revoke(revoked.id)}
          onClose={() => setRevoked(null)}
        >
          Requests with <b className="break">{revoked.name}</b> are refused from now on.
        </ConfirmDialog>
      )}
    </>
  )
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { name, role, createdBy, createdDate, expirationDate, lastUsedDate } = token
  const isExpired = expirationDate !== null && new Date(expirationDate).getTime() <= Date.now()
  return (
    <ListRow
      title={
        <Group gap={8}>
          {name}
          <Badge color={role === 'admin' ? 'violet' : 'gray'}>{roleNames[role]}</Badge>
          {isExpired && <Badge color="red">Expired</Badge>}
        </Group>
      }
      sub={
        <>
          Created <When date={createdDate} />
          {createdBy !== null && ` by ${createdBy}`}
          {expirationDate !== null && !isExpired && ` · expires ${formatDay(expirationDate)}`}
        </>
      }
      side={
        lastUsedDate === null ? (
          'Never used'
        ) : (
          <>
            Last used <When date={lastUsedDate} />
          </>
        )
      }
      actions={
        <Button size="compact-sm" variant="default" onClick={onRevoke} aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      }
    />
  )
}
