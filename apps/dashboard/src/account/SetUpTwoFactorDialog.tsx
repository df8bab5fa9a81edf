import type { TwoFactorSecret } from '@fairlead/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, queryClient, sessionKey } from '../api/client.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { CurrentPassword } from '../ui/PasswordFields.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { CodeField } from './CodeField.tsx'

interface SetUpTwoFactorDialogProps {
  onCodes: (recoveryCodes: string[]) => void
  onClose: () => void
}

/** Sets up an authenticator app: password, then QR code and a first code. `onCodes` shows the recovery codes. */
export function SetUpTwoFactorDialog({ onCodes, onClose }: SetUpTwoFactorDialogProps) {
  const [secret, setSecret] = useState<TwoFactorSecret | null>(null)
  return (
    <Dialog onClose={onClose} title="Set up two-factor sign-in">
      {secret === null ? <PasswordStep onSecret={setSecret} /> : <CodeStep secret={secret} onCodes={onCodes} />}
    </Dialog>
  )
}

function PasswordStep({ onSecret }: { onSecret: (secret: TwoFactorSecret) => void }) {
  const [password, setPassword] = useState('')
  const start = useMutation({
    mutationFn: () => client.security.startTwoFactor({ password }),
    onSuccess: onSecret,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate()
      }}
    >
      <Stack>
        <CurrentPassword value={password} onChange={setPassword} error={toFieldErrors(start.error)['password']} />
        <ErrorNotice error={start.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={start.isPending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function CodeStep({ secret, onCodes }: { secret: TwoFactorSecret; onCodes: (codes: string[]) => void }) {
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () => client.security.confirmTwoFactor(code),
    onSuccess: ({ recoveryCodes }) => {
      onCodes(recoveryCodes)
      return queryClient.invalidateQueries({ queryKey: sessionKey })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        confirm.mutate()
      }}
    >
      <Stack>
        <Text size="sm">Scan this code with an authenticator app, then enter the six digits that it shows.</Text>
        <Group justify="center">
          <QrCode text={secret.uri} label="QR code for the authenticator app" size={180} />
        </Group>
        <CopyField label="Or type this secret" value={secret.secret} />
        <CodeField
          description="Six digits of your authenticator app"
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={toFieldErrors(confirm.error)['code']}
        />
        <ErrorNotice error={confirm.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={confirm.isPending}>
            Turn it on
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
