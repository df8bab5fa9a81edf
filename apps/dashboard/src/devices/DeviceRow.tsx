import type { Device } from '@fairlead/contract'
import { Badge, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { ListRow } from '../ui/ListRow.tsx'
import { tell } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { appleStates } from './apple-states.ts'

const RenameDeviceDialog = lazyDialog(async () => (await import('./RenameDeviceDialog.tsx')).RenameDeviceDialog)
const ConfirmDialog = lazyDialog(async () => (await import('../ui/ConfirmDialog.tsx')).ConfirmDialog)

interface DeviceRowProps {
  device: Device
  /** Whether the profile of the chosen build lists it; null if its profile lists none or no build is chosen. */
  isInProfile: boolean | null
}

export function DeviceRow({ device, isInProfile }: DeviceRowProps) {
  const { id, name, udid, product, osVersion, tester, isAppleSigned, apple, createdDate } = device
  const isAdmin = useCan('admin')
  const [isRenaming, renaming] = useDisclosure()
  const [isDeleting, deleting] = useDisclosure()
  const [isRegistering, registering] = useDisclosure()
  const state = appleStates[apple.state]
  const mayRegister = isAdmin && (apple.state === 'none' || apple.state === 'refused')
  return (
    <ListRow
      title={
        <Group gap={8}>
          {name}
          {isInProfile === false && <Badge color="orange">Not in the profile</Badge>}
          {isInProfile === true && <Badge color="green">In the profile</Badge>}
          {apple.state !== 'none' && <Badge color={state.color}>{state.label}</Badge>}
        </Group>
      }
      sub={
        <>
          <code>{udid}</code> <CopyButton value={udid} label={`Copy the UDID of ${name}`} />
          <br />
          {tester.email}
          {` · ${product ?? 'unknown model'}`}
          {osVersion !== null && ` · system ${osVersion}`}
          {apple.detail !== null && ` · ${apple.detail}`}
        </>
      }
      side={
        <>
          Added <When date={createdDate} />
        </>
      }
      actions={
        <Group gap={6}>
          {mayRegister && (
            <Button size="compact-sm" onClick={registering.open} aria-label={`Register: ${name}`}>
              Register
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={renaming.open} aria-label={`Rename: ${name}`}>
            Rename
          </Button>
          {isAdmin && (
            <Button size="compact-sm" variant="default" onClick={deleting.open} aria-label={`Delete: ${name}`}>
              Delete
            </Button>
          )}
          {isRenaming && <RenameDeviceDialog device={device} onClose={renaming.close} />}
          {isDeleting && (
            <ConfirmDialog
              title="Delete the device"
              action="Delete it"
              onConfirm={() => client.devices.remove(id)}
              onClose={deleting.close}
            >
              <b className="break">{name}</b> leaves this list. Profiles that contain it, and Apple, keep it.
            </ConfirmDialog>
          )}
          {isRegistering && (
            <ConfirmDialog
              title="Register the device at Apple"
              action="Register it"
              onConfirm={async () => {
                await client.devices.register(id)
                tell('The device is being registered')
              }}
              onClose={registering.close}
            >
              <b className="break">{name}</b> takes one of the 100 places of this year, and Apple never gives it back.
              {!isAppleSigned && ' Nothing proves that this UDID belongs to a device: the message could be made up.'}
            </ConfirmDialog>
          )}
        </Group>
      }
    />
  )
}
