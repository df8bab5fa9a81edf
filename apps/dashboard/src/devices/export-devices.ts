import { client } from '../api/client.ts'
import { saveFile } from '../ui/save-file.ts'
import type { DevicesSearch } from './queries.ts'

/** Saves devices as the list that Apple's page for several devices takes, and fastlane too. */
export async function exportDevices({ group, missingIn }: DevicesSearch): Promise<void> {
  const list = await client.devices.export({
    ...(group !== undefined && { distributionGroupId: group }),
    ...(missingIn !== undefined && { missingIn }),
  })
  saveFile(new Blob([list], { type: 'text/plain' }), 'devices.txt')
}
