import { buildCommand } from '@stricli/core'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import { writeTable } from '../../output/table.ts'
import { formatBytes, formatInstant } from '../../output/units.ts'
import { writeNote, writeResult } from '../../output/write.ts'
import { readRules } from '../../retention/rules.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app: string
  readonly rules?: string
}

export const command = buildCommand<Flags, [], CliContext>({
  docs: { brief: 'Say which builds the rules would remove now, without removing them' },
  parameters: {
    flags: {
      app: { kind: 'parsed', parse: String, brief: 'Alias of the application', placeholder: 'alias' },
      rules: textFlag('File with rules to try, - for standard input; without it the saved ones', 'file'),
      ...remoteFlags,
    },
  },
  func(flags) {
    return previewRetention(this.io, flags)
  },
})

async function previewRetention(io: Io, flags: Flags): Promise<void> {
  const rules = flags.rules === undefined ? undefined : await readRules(io, flags.rules)
  const { client } = await openSession(io, flags)
  const application = await requireApplication(io, client, flags.app)
  const preview = await client.retention.preview(application.id, rules, { signal: io.signal })
  writeResult(io, flags.json, preview, () => {
    writeTable(io, preview.builds, [
      { title: 'ID', value: ({ id }) => id, align: 'right' },
      { title: 'VERSION', value: ({ shortVersion, version }) => `${shortVersion} (${version})` },
      { title: 'BRANCH', value: ({ branch }) => branch },
      { title: 'UPLOADED', value: ({ uploadedDate }) => formatInstant(uploadedDate) },
      { title: 'SIZE', value: ({ size }) => formatBytes(size), align: 'right' },
      { title: 'RULE', value: ({ rule }) => rule, align: 'right' },
    ])
    const { candidateCount, candidateBytes, freedBytes, last30Days, kept } = preview
    const keeps = Object.entries(kept).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]))
    writeNote(
      io,
      `${candidateCount} builds of ${formatBytes(candidateBytes)}; the disk gains ${formatBytes(freedBytes)}`,
    )
    const { candidateCount: lately, candidateBytes: latelyBytes } = last30Days
    writeNote(io, `${lately} of them, ${formatBytes(latelyBytes)}, would have gone in the last 30 days`)
    if (keeps.length > 0) writeNote(io, `Kept all the same: ${keeps.join(', ')}`)
  })
}
