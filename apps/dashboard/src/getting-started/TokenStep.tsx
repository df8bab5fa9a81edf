import type { ApiToken } from '@fairlead/contract'
import { Alert, Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { AnchorLink } from '../ui/links.tsx'
import { Step } from './Step.tsx'

interface TokenStepProps {
  tokens: ApiToken[]
  /** The token that was made on this page. The server shows it once, so only this page knows it. */
  token: string | null
  onToken: (token: string) => void
}

/** A token for CI, with the role that uploads need and no more. */
export function TokenStep({ tokens, token, onToken }: TokenStepProps) {
  const create = useMutation({
    mutationFn: () => client.apiTokens.create({ name: 'CI', role: 'developer', expirationDate: null }),
    onSuccess: (created) => onToken(created.token),
  })
  const isDone = token !== null || tokens.some(({ role }) => role === 'developer')
  return (
    <Step
      title="CI has a token"
      isDone={isDone}
      state={
        tokens.length === 0
          ? 'There is none so far.'
          : `There ${tokens.length === 1 ? 'is' : 'are'} ${formatCount(tokens.length, 'token')}.`
      }
    >
      {token !== null && (
        <>
          <Alert color="harbor">It is shown only now, and is filled in below.</Alert>
          <CopyField label="API token" value={token} />
        </>
      )}
      <ErrorNotice error={create.error} />
      <Group gap="md">
        {token === null && (
          <Button
            size="compact-md"
            variant={isDone ? 'default' : 'filled'}
            loading={create.isPending}
            onClick={() => create.mutate()}
          >
            Create a token for CI
          </Button>
        )}
        <AnchorLink to="/tokens" size="sm">
          All tokens
        </AnchorLink>
      </Group>
    </Step>
  )
}
