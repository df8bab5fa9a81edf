import type { Crash } from '@fairlead/contract'
import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { writeCrashGroup } from '../../crashes/write-crash-group.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [id: number], CliContext>({
  docs: { brief: 'Show a crash group with the frames of its newest crash' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the crash group')] },
    flags: remoteFlags,
  },
  func(flags, id) {
    return showGroup(this.io, flags, id)
  },
})

async function showGroup(io: Io, flags: RemoteFlags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const group = await client.crashes.getGroup(id)
  const [newest] = await client.crashes.listNewest(id, 1)
  const crash = newest ? await client.crashes.get(newest.id) : null
  writeResult(io, flags.json, { ...group, newestCrash: crash }, () => {
    writeCrashGroup(io, group)
    const frames = crash?.frames ?? []
    const withSource = frames.find(({ isApp, sourceLines }) => isApp && sourceLines !== null)
    for (const frame of frames) {
      const line = frame.line === null ? '' : `:${frame.line}`
      const place = frame.file === null ? (frame.module ?? '') : `${frame.file}${line}`
      writeLine(io, toShownLine(`  ${frame.function ?? frame.raw.trim()}  ${place}`))
      if (frame === withSource) writeSource(io, frame)
    }
  })
}

/** Writes the lines of the source around the place of a frame, whose own line is marked. */
function writeSource(io: Io, { line, sourceLines }: Crash['frames'][number]): void {
  for (const [index, text] of sourceLines?.lines.entries() ?? []) {
    const number = (sourceLines?.firstLine ?? 1) + index
    writeLine(io, toShownLine(`  ${number === line ? '>' : ' '} ${String(number).padStart(5)} | ${text}`))
  }
}
