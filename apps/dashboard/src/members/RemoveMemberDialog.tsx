import type { Member } from '@fairlead/contract'
import { Checkbox, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { apiTokensQuery } from '../tokens/queries.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

/** Removes a member. The API tokens that the person made belong to the workspace, and go on unless they are revoked. */
export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { data: all = [] } = useQuery(apiTokensQuery)
  const tokens = all.filter(({ createdByAccountId }) => createdByAccountId === member.accountId)
  const [revokes, setRevokes] = useState(false)
  const remove = async () => {
    // The tokens go first: whoever is removed must not keep one because a request failed in between.
    if (revokes) for (const { id } of tokens) await client.apiTokens.revoke(id)
    await client.members.remove(member.accountId)
  }
  return (
    <ConfirmDialog title="Remove the member" action="Remove" onConfirm={remove} onClose={onClose}>
      <Stack>
        <Text size="sm">
          <b className="break">{member.name}</b> loses access to this workspace at once. Builds stay.
          {member.roleSource === 'group' && ' A group of the provider lets the person in again at the next sign-in.'}
        </Text>
        {tokens.length > 0 && (
          <>
            <Text size="sm">API tokens that this person made stay too:</Text>
            <List size="sm">
              {tokens.map(({ id, name }) => (
                <List.Item key={id}>
                  <bdi>{name}</bdi>
                </List.Item>
              ))}
            </List>
            <Checkbox
              label="Revoke these"
              checked={revokes}
              onChange={(event) => setRevokes(event.currentTarget.checked)}
            />
          </>
        )}
      </Stack>
    </ConfirmDialog>
  )
}
