import type { Build } from '@fairlead/contract'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatBytes, formatInstant } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { WebLink } from '../ui/WebLink.tsx'
import { toShortPermission } from './short-permission.ts'

export function BuildFacts({ build }: { build: Build }) {
  const { source, platform } = build
  const system = platform === 'android' ? 'API level' : 'iOS'
  return (
    <Panel title="Details">
      <Facts
        facts={[
          [platform === 'android' ? 'Package name' : 'Bundle identifier', build.bundleIdentifier],
          ['Version', build.shortVersion],
          [platform === 'android' ? 'Version code' : 'Build number', build.version],
          ['Minimum system', build.minOsVersion && `${system} ${build.minOsVersion}`],
          ['Target system', build.targetOsVersion && `${system} ${build.targetOsVersion}`],
          ['Architectures', build.architectures.join(', ')],
          ['Branch', source?.branch],
          ['Commit', source?.commit && <code>{source.commit}</code>],
          ['CI job', source?.ciUrl && <WebLink url={source.ciUrl} />],
          ['File', build.fileName],
          ['Size', `${formatBytes(build.size)} (${new Intl.NumberFormat('en').format(build.size)} bytes)`],
          [
            'SHA-256',
            <Group key="sha256" gap={4} wrap="nowrap">
              <code className="break">{build.sha256}</code>
              <CopyButton value={build.sha256} label="Copy the SHA-256" />
            </Group>,
          ],
          ['Uploaded', `${formatInstant(build.uploadedDate)} by ${build.uploadedBy}`],
        ]}
      />
      {build.permissions.length > 0 && (
        <Stack gap={6} mt="md">
          <Text size="sm" fw={580}>
            Permissions
          </Text>
          <Group gap={6}>
            {build.permissions.map((permission) => (
              <Badge key={permission} color="gray" title={permission} className="break">
                {toShortPermission(permission)}
              </Badge>
            ))}
          </Group>
        </Stack>
      )}
    </Panel>
  )
}
