import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { AccessPage } from './AccessPage.tsx'
import { AnchorLink } from '../ui/links.tsx'

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const ask = useMutation({ mutationFn: () => client.access.requestPasswordReset(email) })
  if (ask.isSuccess) {
    return (
      <AccessPage title="Check your mail">
        <Text size="sm" role="status">
          If <b className="break">{email}</b> has an account here, a link to choose a new password is on its way. Where
          no mail server is set, those who run the server make one with the command <b>reset-password</b>.
        </Text>
        <AnchorLink to="/sign-in" size="sm">
          Back to the sign-in
        </AnchorLink>
      </AccessPage>
    )
  }
  return (
    <AccessPage title="Forgot the password?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          ask.mutate()
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            A link to choose a new one goes to the address of your account.
          </Text>
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <ErrorNotice error={ask.error} />
          <Button type="submit" loading={ask.isPending} fullWidth>
            Send the link
          </Button>
          <AnchorLink to="/sign-in" size="sm" ta="center">
            Back to the sign-in
          </AnchorLink>
        </Stack>
      </form>
    </AccessPage>
  )
}
