import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { parseId, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeTable } from '../../output/table.ts'
import { formatInstant } from '../../output/units.ts'
import { writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly build?: number
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'List the iPhones and iPads of testers' },
  parameters: {
    flags: {
      build: {
        kind: 'parsed',
        parse: parseId,
        brief: 'Say which of them the profile of this build lists',
        placeholder: 'id',
        optional: true,
      },
      ...remoteFlags,
    },
  },
  func(flags) {
    return listDevices(this.io, flags)
  },
})

async function listDevices(io: Io, { build, ...flags }: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const options = { signal: io.signal }
  const ofBuild = build === undefined ? [] : await client.devices.listOfBuild(build, options)
  const inProfile = new Map(ofBuild.map(({ deviceId, isInProfile }) => [deviceId, isInProfile]))
  const listed = await client.devices.list(options)
  const devices =
    build === undefined
      ? listed
      : listed.map((device) => ({ ...device, isInProfile: inProfile.get(device.id) ?? null }))
  writeResult(io, flags.json, devices, () =>
    writeTable(io, devices, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'UDID', value: ({ udid }) => udid },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'TESTER', value: ({ tester }) => tester.email },
      ...(build === undefined
        ? []
        : [{ title: 'IN PROFILE', value: ({ id }: { id: number }) => toAnswer(inProfile.get(id)) }]),
      { title: 'APPLE', value: ({ apple }) => apple.state },
      { title: 'CREATED', value: ({ createdDate }) => formatInstant(createdDate) },
    ]),
  )
}

function toAnswer(isInProfile: boolean | null | undefined): string | null {
  if (isInProfile === undefined || isInProfile === null) return null
  return isInProfile ? 'yes' : 'no'
}
