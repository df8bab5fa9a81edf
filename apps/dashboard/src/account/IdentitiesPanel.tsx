import type { Identity } from '@fairlead/contract'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signInOptionsQuery } from '../api/sign-in-options.ts'
import { client, queryClient, sessionKey } from '../api/client.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { identitiesQuery } from './queries.ts'

/** The providers that sign in to the account; links others, and unlinks these. */
export function IdentitiesPanel() {
  const identities = useQuery(identitiesQuery)
  const options = useQuery(signInOptionsQuery)
  const [unlinked, setUnlinked] = useState<Identity | null>(null)
  const link = useMutation({
    mutationFn: (provider: string) => client.security.startLink({ provider }),
    onSuccess: ({ url }) => location.assign(url),
    onError: tellFailure,
  })
  if (identities.isPending || options.isPending) return <Skeleton h={60} />
  const linked = identities.data ?? []
  const others = options.data?.providers.filter(({ key }) => !linked.some(({ provider }) => provider === key)) ?? []
  return (
    <Stack align="stretch">
      <ErrorNotice error={identities.error ?? options.error} />
      {linked.length > 0 && (
        <List label="Ways to sign in">
          {linked.map((identity) => (
            <ListRow
              key={identity.id}
              title={identity.providerName}
              sub={identity.email ?? 'No address'}
              side={
                <>
                  Last used <When date={identity.lastUsedDate} />
                </>
              }
              actions={
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => setUnlinked(identity)}
                  aria-label={`Unlink ${identity.providerName}`}
                >
                  Unlink
                </Button>
              }
            />
          ))}
        </List>
      )}
      {linked.length === 0 && (
        <Text size="sm" c="dimmed">
          {others.length > 0
            ? 'No provider is linked to this account.'
            : 'This server has no provider to sign in through.'}
        </Text>
      )}
      <Group>
        {others.map(({ key, name }) => (
          <Button key={key} variant="default" loading={link.isPending} onClick={() => link.mutate(key)}>
            Link {name}
          </Button>
        ))}
      </Group>
      {unlinked && (
        <ConfirmDialog
          title={`Unlink ${unlinked.providerName}`}
          action="Unlink"
          onConfirm={async () => {
            await client.security.unlinkIdentity(unlinked.id)
            // This session may be one of those that end.
            await queryClient.invalidateQueries({ queryKey: sessionKey })
          }}
          onClose={() => setUnlinked(null)}
        >
          Nobody signs in to this account through {unlinked.providerName} any more. Sessions that came through it end at
          once, perhaps this one too.
        </ConfirmDialog>
      )}
    </Stack>
  )
}
