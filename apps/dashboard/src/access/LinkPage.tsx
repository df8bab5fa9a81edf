import type { PendingLink } from '@fairlead/contract'
import { Button, Loader, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { CodeField } from '../account/CodeField.tsx'
import { client } from '../api/client.ts'
import { enterSession } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { AnchorLink } from '../ui/links.tsx'
import { CurrentPassword } from '../ui/PasswordFields.tsx'
import { AccessPage } from './AccessPage.tsx'
import { pendingLinkQuery } from './queries.ts'

/** Asks for the password of the account whose address somebody has at a provider. */
export function LinkPage() {
  const pending = useQuery(pendingLinkQuery)
  return (
    <AccessPage title="Is this your account?">
      {pending.isPending && <Loader aria-label="Loading" />}
      <ErrorNotice error={pending.error} />
      {pending.data && <ProofForm pending={pending.data} />}
      <AnchorLink to="/sign-in" size="sm" ta="center">
        Back to the sign-in
      </AnchorLink>
    </AccessPage>
  )
}

function ProofForm({ pending }: { pending: PendingLink }) {
  const { providerName, email, returnTo, hasPassword } = pending
  const router = useRouter()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const prove = useMutation({
    mutationFn: () => client.access.linkAccount({ password, ...(code !== '' && { code }) }),
    onSuccess: (session) => {
      enterSession(session)
      router.history.push(returnTo === '/' ? '/applications' : returnTo)
    },
  })
  const codeFault = toFieldErrors(prove.error)['code']
  if (!hasPassword) {
    return (
      <Text size="sm">
        <b className="break">{email}</b> has an account here without a password. Sign in the way you did before, and
        link {providerName} under My account.
      </Text>
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        prove.mutate()
      }}
    >
      <Stack>
        <Text size="sm">
          <b className="break">{email}</b> has an account here already. Type its password once; from then on you sign in
          through {providerName}.
        </Text>
        <CurrentPassword value={password} onChange={setPassword} />
        {(codeFault !== undefined || code !== '') && (
          <CodeField
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={codeFault === 'is missing' ? undefined : codeFault}
          />
        )}
        <ErrorNotice error={codeFault === undefined ? prove.error : null} />
        <Button type="submit" loading={prove.isPending} fullWidth>
          Link and sign in
        </Button>
      </Stack>
    </form>
  )
}
