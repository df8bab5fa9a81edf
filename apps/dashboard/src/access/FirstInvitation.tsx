import { Alert, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../ui/CodeBlock.tsx'

/** Says how the first person gets an account on a server whose workspace was made with a token of its operator. */
export function FirstInvitation() {
  const command = [
    `curl ${location.origin}/v1/invitations`,
    '-H "X-Service-Token: $FAIRLEAD_INITIAL_API_TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d '{"email": "you@example.com", "role": "admin"}'`,
  ].join(' \\\n  ')
  return (
    <Alert title="Nobody has an account here yet">
      <Stack gap="xs">
        <Text size="sm">
          The server was started with a token, which made a workspace without members. Invite yourself with that token:
        </Text>
        <CodeBlock label="the invitation of the first member" code={command} />
        <Text size="sm">
          The link is in your mail or, where no mail server is set, the <code>inviteUrl</code> of the answer.
        </Text>
      </Stack>
    </Alert>
  )
}
