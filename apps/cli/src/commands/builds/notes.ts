import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { type NotesFlags, readReleaseNotes } from '../../lookups/release-notes.ts'
import { toShownText } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags, NotesFlags {
  readonly clear: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Show, set or clear the release notes of a build' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the build')] },
    flags: {
      notes: textFlag('The notes, in Markdown', 'text'),
      notesFile: textFlag('File with the notes; - is standard input', 'file'),
      clear: switchFlag('Take the notes away'),
      ...remoteFlags,
    },
  },
  func(flags, id) {
    return changeNotes(this.io, flags, id)
  },
})

async function changeNotes(io: Io, flags: Flags, id: number): Promise<void> {
  const given = await readReleaseNotes(io, flags)
  if (flags.clear && given !== undefined) throw new CliError('usage', '--clear and notes cannot both be given')
  const { client } = await openSession(io, flags)
  const call = { signal: io.signal }
  const isChange = flags.clear || given !== undefined
  const build = isChange
    ? await client.builds.setReleaseNotes(id, flags.clear ? null : (given ?? null), call)
    : await client.builds.get(id, call)
  const { releaseNotes } = build
  writeResult(io, flags.json, { id, releaseNotes }, () => {
    if (isChange)
      writeLine(io, releaseNotes === null ? `Cleared the notes of build ${id}` : `Set the notes of build ${id}`)
    else if (releaseNotes !== null) writeLine(io, toShownText(releaseNotes))
  })
}
