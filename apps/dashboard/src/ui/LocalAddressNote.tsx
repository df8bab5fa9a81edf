import { Alert } from '@mantine/core'

/** Hosts that only the machine of the server reaches. */
const loopback = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Says beside a link that is meant for others that nobody else can open it. */
export function LocalAddressNote({ url }: { url: string }) {
  if (!loopback.test(new URL(url).hostname)) return null
  return (
    <Alert color="orange">
      Only this machine can open this link, no phone can. An administrator of the server sets{' '}
      <code>FAIRLEAD_BASE_URL</code> to the address by which others reach it.
    </Alert>
  )
}
