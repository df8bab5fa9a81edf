import type { Build, DeviceOfBuild } from '@fairlead/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { testersQuery } from '../groups/queries.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { ExportButton } from './ExportButton.tsx'
import { buildDevicesQuery, devicesQuery } from './queries.ts'

const AskTesterDialog = lazyDialog(async () => (await import('./AskTesterDialog.tsx')).AskTesterDialog)

/** The panel shows this many rows; the page of devices has all. */
const shownAtMost = 20

/** Says which devices of testers the profile of a build lists. Shown for builds whose profile lists devices. */
export function BuildDevicesPanel({ build }: { build: Build }) {
  const inBuild = useQuery(buildDevicesQuery(build.id))
  const devices = useQuery(devicesQuery)
  const testers = useQuery(testersQuery)
  const [isAsking, asking] = useDisclosure()
  if (!inBuild.data || !devices.data || !testers.data) return <ErrorNotice error={inBuild.error ?? devices.error} />
  if (inBuild.data.every(({ isInProfile }) => isInProfile === null) && inBuild.data.length > 0) return null
  const told = inBuild.data.filter(({ isDistributed }) => isDistributed)
  // Without testers of its own, a build is compared with every device of the workspace.
  const compared = told.length > 0 ? told : inBuild.data
  const rows = compared.toSorted((one, other) => Number(one.isInProfile) - Number(other.isInProfile))
  const missing = rows.filter(({ isInProfile }) => isInProfile === false).length
  const known = new Map(devices.data.map((device) => [device.id, device]))
  const whose = told.length > 0 ? 'of its testers’ devices' : 'of the workspace’s devices'
  return (
    <Panel
      title="Devices"
      actions={
        <Button size="compact-sm" variant="default" onClick={asking.open}>
          Add a device
        </Button>
      }
    >
      <Text size="sm" c="dimmed" role="status">
        {rows.length === 0
          ? 'No tester has told of a device yet.'
          : `${rows.length - missing} of ${rows.length} ${whose} are in its profile.`}
      </Text>
      {rows.length > 0 && (
        <List label="Devices of this build">
          {rows.slice(0, shownAtMost).map((row) => {
            const device = known.get(row.deviceId)
            return (
              <ListRow
                key={row.deviceId}
                title={
                  <Group gap={8}>
                    {device?.name ?? row.udid}
                    <ProfileBadge row={row} />
                  </Group>
                }
                sub={
                  <>
                    {device?.tester.email} · <code>{row.udid}</code>
                  </>
                }
              />
            )
          })}
        </List>
      )}
      {rows.length > 0 && (
        <Group gap="xs" mt="sm">
          {missing > 0 && (
            <ExportButton label="Export all that are missing" size="compact-sm" search={{ missingIn: build.id }} />
          )}
          <Link to="/devices" search={{ missingIn: build.id }}>
            All devices
          </Link>
        </Group>
      )}
      {isAsking && <AskTesterDialog testers={testers.data} onClose={asking.close} />}
    </Panel>
  )
}

function ProfileBadge({ row: { isInProfile } }: { row: DeviceOfBuild }) {
  return isInProfile === true ? (
    <Badge color="green">In the profile</Badge>
  ) : (
    <Badge color="orange">Not in the profile</Badge>
  )
}
