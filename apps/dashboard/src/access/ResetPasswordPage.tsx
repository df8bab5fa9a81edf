import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { leaveSession } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { NewPassword } from '../ui/PasswordFields.tsx'
import { AccessPage } from './AccessPage.tsx'
import { AnchorLink, ButtonLink } from '../ui/links.tsx'

const route = getRouteApi('/reset')

export function ResetPasswordPage() {
  const { token } = route.useSearch()
  const [password, setPassword] = useState('')
  const reset = useMutation({
    mutationFn: () => client.access.redeemPasswordReset({ token, password }),
    onSuccess: leaveSession,
  })
  if (reset.isSuccess) {
    return (
      <AccessPage title="The password is set">
        <Text size="sm">All sessions of the account were ended.</Text>
        <ButtonLink to="/sign-in">Sign in</ButtonLink>
      </AccessPage>
    )
  }
  return (
    <AccessPage title="Choose a new password">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          reset.mutate()
        }}
      >
        <Stack>
          <NewPassword
            label="New password"
            value={password}
            onChange={setPassword}
            error={toFieldErrors(reset.error)['password']}
          />
          <ErrorNotice error={reset.error} />
          <Button type="submit" loading={reset.isPending} fullWidth>
            Set the password
          </Button>
          <AnchorLink to="/forgot-password" size="sm" ta="center">
            Ask for a new link
          </AnchorLink>
        </Stack>
      </form>
    </AccessPage>
  )
}
