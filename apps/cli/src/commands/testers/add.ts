import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { remoteFlags, type RemoteFlags, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireGroup } from '../../lookups/groups.ts'
import { parseTesters } from '../../lookups/parse-testers.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly group: string
  readonly file?: string
}

export const command = buildCommand<Flags, string[], CliContext>({
  docs: { brief: 'Add testers to a group, each as an address or "Name <address>"' },
  parameters: {
    positional: {
      kind: 'array',
      parameter: { brief: 'Address of a tester', placeholder: 'email', parse: String },
    },
    flags: {
      group: { kind: 'parsed', parse: String, brief: 'Name of the group', placeholder: 'name' },
      file: textFlag(
        'File with one tester a line, or CSV with the columns email and name; - is standard input',
        'file',
      ),
      ...remoteFlags,
    },
  },
  func(flags, ...emails) {
    return addTesters(this.io, flags, emails)
  },
})

/** The most testers that the server accepts in one request. */
const batchSize = 1000

async function addTesters(io: Io, flags: Flags, given: readonly string[]): Promise<void> {
  const emails = [...given, ...(await readTesters(io, flags.file))]
  if (emails.length === 0) throw new CliError('usage', 'No tester was named', { fix: 'Give addresses, or --file.' })
  const { client } = await openSession(io, flags)
  const group = await requireGroup(io, client, flags.group)
  const testers = []
  for (let at = 0; at < emails.length; at += batchSize) {
    testers.push(...(await client.groups.addTesters(group.id, emails.slice(at, at + batchSize), { signal: io.signal })))
  }
  writeResult(io, flags.json, testers, () =>
    writeLine(
      io,
      `Added to ${toShownLine(group.name)}: ${emails.length === 1 ? '1 tester' : `${emails.length} testers`}`,
    ),
  )
}

async function readTesters(io: Io, path: string | undefined): Promise<string[]> {
  if (path === undefined) return []
  return await parseTesters(path === '-' ? await text(io.stdin) : await readFile(resolve(io.cwd, path), 'utf8'))
}
