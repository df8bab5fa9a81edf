import type { Device } from '@fairlead/contract'
import { client } from '../api/client.ts'
import { NameDialog } from '../ui/NameDialog.tsx'

/** Asks for another name of a device. */
export function RenameDeviceDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  return (
    <NameDialog
      title="Rename the device"
      action="Rename"
      name={device.name}
      maxLength={50}
      onSave={(name) => client.devices.update(device.id, { name })}
      onClose={onClose}
    />
  )
}
