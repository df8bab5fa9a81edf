import type { OpenSession } from '@fairlead/contract'
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { leaveSession } from '../api/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { describeBrowser } from './browser-name.ts'
import { sessionsQuery } from './queries.ts'

/** Lists the browsers that are signed in to the account, and ends one or all of them. */
export function SessionsPanel() {
  const sessions = useQuery(sessionsQuery)
  const [isAsking, dialog] = useDisclosure()
  return (
    <Stack align="stretch">
      {sessions.isPending && <Skeleton h={60} />}
      <ErrorNotice error={sessions.error} />
      {sessions.data && (
        <List label="Sessions">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </List>
      )}
      <Text size="sm" c="dimmed">
        Signing out everywhere ends every session of your account, this one too.
      </Text>
      <Group>
        <Button variant="default" onClick={dialog.open}>
          Sign out everywhere
        </Button>
      </Group>
      {isAsking && (
        <ConfirmDialog
          title="Sign out everywhere"
          action="Sign out"
          onConfirm={async () => {
            await client.access.signOutEverywhere()
            leaveSession()
          }}
          onClose={dialog.close}
        >
          Every browser in which you are signed in will ask for your password again, this one too.
        </ConfirmDialog>
      )}
    </Stack>
  )
}

function SessionRow({ session }: { session: OpenSession }) {
  const { id, isCurrent, address, userAgent, createdDate, lastUsedDate } = session
  const name = describeBrowser(userAgent)
  const end = useMutation({
    mutationFn: () => client.security.endSession(id),
    onSuccess: () => tell('The session is ended'),
    onError: tellFailure,
  })
  return (
    <ListRow
      title={
        <Group gap={8}>
          {name}
          {isCurrent && <Badge color="harbor">This browser</Badge>}
        </Group>
      }
      sub={
        <>
          Signed in <When date={createdDate} />
          {address !== null && ` from ${address}`}
        </>
      }
      side={
        isCurrent ? (
          'In use now'
        ) : (
          <>
            Last used <When date={lastUsedDate} />
          </>
        )
      }
      actions={
        !isCurrent && (
          <Button
            size="compact-sm"
            variant="default"
            loading={end.isPending}
            onClick={() => end.mutate()}
            aria-label={`End the session of ${name}`}
          >
            End
          </Button>
        )
      }
    />
  )
}
