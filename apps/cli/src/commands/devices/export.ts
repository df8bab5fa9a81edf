import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { parseId, remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireGroup } from '../../lookups/groups.ts'
import { toShownText } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly missingIn?: number
  readonly group?: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'Print devices as the list that Apple and fastlane take' },
  parameters: {
    flags: {
      missingIn: {
        kind: 'parsed',
        parse: parseId,
        brief: 'Only devices that the profile of this build lacks',
        placeholder: 'build',
        optional: true,
      },
      group: textFlag('Only devices of testers in this distribution group', 'name'),
      ...remoteFlags,
    },
  },
  func(flags) {
    return exportDevices(this.io, flags)
  },
})

async function exportDevices(io: Io, { missingIn, group, ...flags }: Flags): Promise<void> {
  const { client } = await openSession(io, flags)
  const query = {
    ...(missingIn !== undefined && { missingIn }),
    ...(group !== undefined && { distributionGroupId: (await requireGroup(io, client, group)).id }),
  }
  const list = await client.devices.export(query, { signal: io.signal })
  writeResult(io, flags.json, { list }, () => {
    writeLine(io, toShownText(list).trimEnd())
  })
}
