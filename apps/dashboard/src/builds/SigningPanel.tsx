import type { Platform, Signing } from '@fairlead/contract'
import { Alert, Stack, Text } from '@mantine/core'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatCount, formatDay } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { listCertificates } from './certificates.ts'

const profileTypes = {
  development: 'Development',
  'ad-hoc': 'Ad hoc',
  enterprise: 'Enterprise (in-house)',
  'app-store': 'App Store: cannot be installed from a link',
}

/** Shows who signed the binary: its provisioning profile and its certificates. */
export function SigningPanel({ signing, platform }: { signing: Signing | null; platform: Platform }) {
  if (!signing || (signing.certificates.length === 0 && !signing.profile)) {
    return (
      <Panel title="Signing">
        <Text size="sm" c="dimmed">
          The binary is not signed{platform === 'android' ? ', so Android refuses to install it.' : '.'}
        </Text>
      </Panel>
    )
  }
  const { profile, integrity } = signing
  return (
    <Panel title="Signing">
      <Stack gap="sm">
        {integrity === 'broken' && <Alert color="red">The signature does not fit the bytes of the binary.</Alert>}
        {profile && (
          <Facts
            facts={[
              ['Profile', profile.name],
              ['Type', profileTypes[profile.type]],
              ['Team', profile.teamName === null ? profile.teamId : `${profile.teamName} (${profile.teamId})`],
              ['Devices', profile.deviceCount > 0 ? formatCount(profile.deviceCount, 'device') : null],
              ['Profile expires', profile.expirationDate && formatDay(profile.expirationDate)],
            ]}
          />
        )}
        {listCertificates(signing).map(({ schemes, subject, sha256, notAfter }) => (
          <Facts
            key={sha256}
            facts={[
              ['Schemes', schemes],
              ['Signed by', subject],
              ['Valid until', notAfter && formatDay(notAfter)],
              [
                'Certificate',
                <span key="sha256">
                  <code>{sha256.slice(0, 16)}…</code>{' '}
                  <CopyButton value={sha256} label="Copy the certificate’s SHA-256" />
                </span>,
              ],
            ]}
          />
        ))}
      </Stack>
    </Panel>
  )
}
