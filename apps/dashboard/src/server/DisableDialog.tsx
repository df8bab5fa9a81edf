import type { ServerAccount } from '@fairlead/contract'
import { Checkbox, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { tokensOfAccountQuery } from './queries.ts'

/** Disables an account. Its API tokens belong to workspaces and go on unless they are revoked here. */
export function DisableDialog({ account, onClose }: { account: ServerAccount; onClose: () => void }) {
  const tokens = useQuery(tokensOfAccountQuery(account.id))
  const [revokeTokens, setRevokeTokens] = useState(false)
  return (
    <ConfirmDialog
      title="Disable the account"
      action="Disable"
      onConfirm={() => client.security.updateServerAccount(account.id, { isDisabled: true, revokeTokens })}
      onClose={onClose}
    >
      <Stack>
        <Text size="sm">
          <b className="break">{account.name}</b> is signed out everywhere at once, and cannot sign in by any way.
        </Text>
        <ErrorNotice error={tokens.error} />
        {tokens.data && tokens.data.length > 0 && (
          <>
            <Text size="sm">API tokens that this person made go on:</Text>
            <List size="sm">
              {tokens.data.map(({ id, name, workspace }) => (
                <List.Item key={id}>
                  <bdi>{name}</bdi>, <bdi>{workspace.name}</bdi>
                </List.Item>
              ))}
            </List>
            <Checkbox
              label="Revoke these"
              checked={revokeTokens}
              onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
            />
          </>
        )}
      </Stack>
    </ConfirmDialog>
  )
}
