import type { Invitation, Member, Role } from '@fairlead/contract'
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { ChoiceButton } from '../ui/ChoiceButton.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { roleNames, roles } from '../ui/role-names.ts'
import { tell, tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { invitationsQuery, membersQuery } from './queries.ts'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'

export function MembersPage() {
  const { data: members } = useSuspenseQuery(membersQuery)
  const { data: invitations } = useSuspenseQuery(invitationsQuery)
  const [isInviting, dialog] = useDisclosure()
  const [leaving, setLeaving] = useState<Member | null>(null)
  return (
    <>
      <PageHeader title="Members" description="Accounts in this workspace, and their roles.">
        <Button leftSection={<UserPlus size={16} />} onClick={dialog.open}>
          Invite
        </Button>
      </PageHeader>
      <List label="Members">
        {members.map((member) => (
          <MemberRow key={member.accountId} member={member} onRemove={() => setLeaving(member)} />
        ))}
      </List>
      {invitations.length > 0 && (
        <Stack gap="xs" mt="xl">
          <Title order={2}>Open invitations</Title>
          <List label="Open invitations">
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </List>
        </Stack>
      )}
      {isInviting && <InviteDialog onClose={dialog.close} />}
      {leaving && <RemoveMemberDialog member={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}

function MemberRow({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const { accountId, name, email, role, roleSource, isVerified } = member
  const isMe = useSession()?.account.id === accountId
  const setRole = useMutation({
    mutationFn: (next: Role) => client.members.setRole(accountId, next),
    onSuccess: () => tell(`The role of ${name} is changed`),
    onError: tellFailure,
  })
  return (
    <ListRow
      title={
        <Group gap={8}>
          {name}
          {isMe && <Badge color="gray">You</Badge>}
          {roleSource === 'group' && <Badge color="gray">By group</Badge>}
          {!isVerified && <Badge color="yellow">Address not verified</Badge>}
        </Group>
      }
      sub={email}
      actions={
        <>
          <ChoiceButton
            text={roleNames[role]}
            name={`Role of ${name}: ${roleNames[role]}`}
            size="xs"
            value={role}
            choices={roles.map((one) => ({ value: one, label: roleNames[one] }))}
            onChoose={(value) => {
              const chosen = roles.find((one) => one === value)
              if (chosen && !setRole.isPending) setRole.mutate(chosen)
            }}
          />
          <Button size="xs" variant="default" onClick={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        </>
      }
    />
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, expirationDate } = invitation
  const withdraw = useMutation({
    mutationFn: () => client.members.withdrawInvitation(id),
    onError: tellFailure,
  })
  return (
    <ListRow
      title={email}
      sub={roleNames[role]}
      side={
        <Text size="sm" component="span">
          Expires <When date={expirationDate} />
        </Text>
      }
      actions={
        <Button
          size="xs"
          variant="default"
          loading={withdraw.isPending}
          onClick={() => withdraw.mutate()}
          aria-label={`Withdraw the invitation of ${email}`}
        >
          Withdraw
        </Button>
      }
    />
  )
}
