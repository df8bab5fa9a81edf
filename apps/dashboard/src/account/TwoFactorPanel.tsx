import type { TwoFactor } from '@fairlead/contract'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount, formatDay } from '../ui/format.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { ProveDialog } from './ProveDialog.tsx'
import { twoFactorQuery } from './queries.ts'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'

const SetUpTwoFactorDialog = lazyDialog(async () => (await import('./SetUpTwoFactorDialog.tsx')).SetUpTwoFactorDialog)

/** Turns two-factor sign-in on and off, and makes new recovery codes. */
export function TwoFactorPanel() {
  const twoFactor = useQuery(twoFactorQuery)
  // The codes are kept here, because turning two-factor sign-in on replaces the component that made them.
  const [codes, setCodes] = useState<string[] | null>(null)
  if (twoFactor.isPending) return <Skeleton h={60} />
  if (twoFactor.isError) return <ErrorNotice error={twoFactor.error} />
  return (
    <>
      {twoFactor.data.isEnabled ? (
        <Enabled twoFactor={twoFactor.data} onCodes={setCodes} />
      ) : (
        <Disabled onCodes={setCodes} />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </>
  )
}

type OnCodes = (recoveryCodes: string[]) => void

function Disabled({ onCodes }: { onCodes: OnCodes }) {
  const [isOpen, dialog] = useDisclosure()
  const requiring = useSession()?.workspaces.filter(({ isTwoFactorRequired }) => isTwoFactorRequired) ?? []
  return (
    <Stack align="flex-start">
      <Text size="sm" c="dimmed">
        A code of an app on your phone is then asked for after your password.
        {requiring.length > 0 && ` ${requiring.map(({ name }) => name).join(', ')} can be used only with it.`}
      </Text>
      <Button onClick={dialog.open}>Set up two-factor sign-in</Button>
      {isOpen && <SetUpTwoFactorDialog onCodes={onCodes} onClose={dialog.close} />}
    </Stack>
  )
}

function Enabled({ twoFactor, onCodes }: { twoFactor: TwoFactor; onCodes: OnCodes }) {
  const { enabledDate, recoveryCodesLeft } = twoFactor
  const [asked, setAsked] = useState<'renew' | 'disable' | null>(null)
  const close = () => setAsked(null)
  return (
    <Stack align="flex-start">
      <Text size="sm" c="dimmed">
        On{enabledDate !== null && ` since ${formatDay(enabledDate)}`}.{' '}
        {formatCount(recoveryCodesLeft, 'recovery code')} left.
      </Text>
      <Group>
        <Button variant="default" onClick={() => setAsked('renew')}>
          New recovery codes
        </Button>
        <Button variant="default" onClick={() => setAsked('disable')}>
          Turn it off
        </Button>
      </Group>
      {asked === 'renew' && (
        <ProveDialog
          title="New recovery codes"
          action="Replace the codes"
          onProve={async (proof) => onCodes((await client.security.renewRecoveryCodes(proof)).recoveryCodes)}
          onClose={close}
        />
      )}
      {asked === 'disable' && (
        <ProveDialog
          title="Turn two-factor sign-in off"
          action="Turn it off"
          onProve={(proof) => client.security.disableTwoFactor(proof)}
          onClose={close}
        />
      )}
    </Stack>
  )
}
