import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyField } from '../ui/CopyField.tsx'
import { formatRelative } from '../ui/format.ts'
import { QrCode } from '../ui/QrCode.tsx'
import classes from './getting-started.module.css'
import { baseUrlQuery, watchMs } from './queries.ts'
import { Step } from './Step.tsx'

const devices = { android: 'an Android phone', ios: 'an iPhone or iPad', other: 'another device' }

/** The base URL, which a phone has to reach. It is done when one has opened the page behind the code. */
export function AddressStep() {
  const { data } = useQuery({
    ...baseUrlQuery,
    refetchInterval: ({ state }) => ((state.data?.checkedDate ?? null) === null ? watchMs : false),
  })
  const checkedDate = data?.checkedDate ?? null
  const isDone = checkedDate !== null
  const visit = isDone
    ? `Reached from ${devices[data?.checkedDevice ?? 'other']}, ${formatRelative(checkedDate)}.`
    : 'Waiting for a phone to open it.'
  return (
    <Step title="Phones reach this server" isDone={isDone} state={visit}>
      {data && (
        <>
          {data.isLocal && (
            <Alert color="orange" title={`No phone can open ${data.baseUrl}`}>
              All links of this server begin with that address, which is only this machine. Set{' '}
              <code>FAIRLEAD_BASE_URL</code> to the address by which others reach it, and start the server again.
            </Alert>
          )}
          {!data.isLocal && !data.isSecure && (
            <Alert color="orange" title="iPhones need HTTPS">
              Android installs over HTTP, iOS does not. Put a proxy with a certificate in front, and set{' '}
              <code>FAIRLEAD_BASE_URL</code> to its address.
            </Alert>
          )}
          {!isDone && (
            <div className={classes['check']}>
              <QrCode text={data.checkUrl} label="QR code of the check" size={132} />
              <Stack gap="xs">
                <Text size="sm">Point the camera of a phone at the code. It opens a page of this server.</Text>
                <CopyField aria-label="address of the check" value={data.checkUrl} />
              </Stack>
            </div>
          )}
        </>
      )}
    </Step>
  )
}
