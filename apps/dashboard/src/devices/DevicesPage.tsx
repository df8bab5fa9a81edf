import type { Application, Device, Tester } from '@fairlead/contract'
import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus, Smartphone } from 'lucide-react'
import { useCan } from '../api/session.ts'
import { applicationsQuery } from '../applications/queries.ts'
import { groupsQuery, testersQuery } from '../groups/queries.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { List } from '../ui/ListRow.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { ShowMore, useParts } from '../ui/ShowMore.tsx'
import { DeviceRow } from './DeviceRow.tsx'
import { ExportButton } from './ExportButton.tsx'
import { buildDevicesQuery, devicesQuery } from './queries.ts'

const AskTesterDialog = lazyDialog(async () => (await import('./AskTesterDialog.tsx')).AskTesterDialog)
const AppStoreConnectDialog = lazyDialog(
  async () => (await import('./AppStoreConnectDialog.tsx')).AppStoreConnectDialog,
)

const route = getRouteApi('/shell/devices')

/** Lists the iPhones and iPads of testers, and says which of them the profile of a build lists. */
export function DevicesPage() {
  const search = route.useSearch()
  const { data: devices } = useSuspenseQuery(devicesQuery)
  const { data: testers } = useSuspenseQuery(testersQuery)
  const { data: groups } = useSuspenseQuery(groupsQuery)
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const isAdmin = useCan('admin')
  const inBuild = useQuery({ ...buildDevicesQuery(search.missingIn ?? 0), enabled: search.missingIn !== undefined })
  const inProfile = new Map(inBuild.data?.map(({ deviceId, isInProfile }) => [deviceId, isInProfile]))
  const [isAsking, asking] = useDisclosure()
  const [isSettingKey, settingKey] = useDisclosure()
  const ofGroup = search.group === undefined ? devices : listOfGroup(devices, testers, search.group)
  const { shown, more } = useParts(ofGroup)
  const missing = ofGroup.filter(({ id }) => inProfile.get(id) === false).length
  const addButton = (
    <Button leftSection={<Plus size={16} />} onClick={asking.open}>
      Add a device
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Devices"
        description="iPhones and iPads of testers. Ad-hoc and development builds install on those in their profile."
      >
        <Group gap="xs">
          {devices.length > 0 && addButton}
          {isAdmin && (
            <Button variant="default" onClick={settingKey.open}>
              App Store Connect key
            </Button>
          )}
        </Group>
      </PageHeader>
      {devices.length === 0 ? (
        <EmptyState icon={Smartphone} title="No devices yet">
          <Text c="dimmed">Testers add theirs on their own page, without a computer.</Text>
          {addButton}
        </EmptyState>
      ) : (
        <>
          <Filters groups={groups} applications={applications} />
          <Group justify="space-between" mb="xs" gap="xs">
            <Text size="sm" c="dimmed" role="status">
              {formatCount(ofGroup.length, 'device')}
              {inBuild.data && `, ${missing} of them missing in the profile`}
            </Text>
            <ExportButton
              label={search.missingIn === undefined ? 'Export for Apple' : 'Export the missing ones for Apple'}
              search={search}
            />
          </Group>
          <ErrorNotice error={inBuild.error} />
          <List label="Devices">
            {shown.map((device) => (
              <DeviceRow key={device.id} device={device} isInProfile={inProfile.get(device.id) ?? null} />
            ))}
          </List>
          <ShowMore {...more} />
        </>
      )}
      {isAsking && <AskTesterDialog testers={testers} onClose={asking.close} />}
      {isSettingKey && <AppStoreConnectDialog onClose={settingKey.close} />}
    </>
  )
}

interface FiltersProps {
  groups: { id: number; name: string }[]
  applications: Application[]
}

function Filters({ groups, applications }: FiltersProps) {
  const { group, missingIn } = route.useSearch()
  const navigate = route.useNavigate()
  const newest = applications.flatMap(({ platform, name, latestBuild }) =>
    platform === 'ios' && latestBuild ? [{ ...latestBuild, name }] : [],
  )
  const builds = newest.map(({ id, name, shortVersion, version }) => ({
    value: String(id),
    label: `${name} ${shortVersion} (${version})`,
  }))
  // A page of a build may lead here, which need not be the newest.
  const isOther = missingIn !== undefined && newest.every(({ id }) => id !== missingIn)
  const change = (changed: { group?: number | undefined; missingIn?: number | undefined }) =>
    void navigate({ search: { group, missingIn, ...changed } })
  return (
    <Group align="end" gap="xs" mb="md">
      <NativeSelect
        flex="1 1 12rem"
        label="Testers of"
        value={String(group ?? '')}
        onChange={(event) => change({ group: toId(event.currentTarget.value) })}
        data={[
          { value: '', label: 'all groups' },
          ...groups.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <NativeSelect
        flex="1 1 16rem"
        label="Compare with the profile of"
        value={String(missingIn ?? '')}
        onChange={(event) => change({ missingIn: toId(event.currentTarget.value) })}
        data={[
          { value: '', label: 'no build' },
          ...builds,
          ...(isOther ? [{ value: String(missingIn), label: `build ${missingIn}` }] : []),
        ]}
      />
      {isOther && (
        <Link to="/builds/$buildId" params={{ buildId: missingIn }}>
          Open the build
        </Link>
      )}
    </Group>
  )
}

function toId(value: string): number | undefined {
  return value === '' ? undefined : Number(value)
}

function listOfGroup(devices: Device[], testers: Tester[], groupId: number): Device[] {
  const members = new Set(
    testers.filter(({ groups }) => groups.some(({ id }) => id === groupId)).map((tester) => tester.id),
  )
  return devices.filter(({ tester }) => members.has(tester.id))
}
