import { resolve } from 'node:path'
import { buildCommand } from '@stricli/core'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { remoteFlags, switchFlag, textArgument } from '../flags.ts'
import type { Io } from '../io.ts'
import { toShownLine } from '../output/shown-text.ts'
import { writeTable } from '../output/table.ts'
import { writeLine, writeNote, writeResult } from '../output/write.ts'
import { openSession } from '../settings/session.ts'
import type { ImportFlags, ImportLine } from './import-line.ts'
import { ApplicationBook, moveBuild } from './move-builds.ts'
import { moveSymbols } from './move-symbols.ts'
import { readExport } from './read-export.ts'
import type { ParseRecord } from './release-record.ts'

interface ImportKind {
  brief: string
  fullDescription: string
  /** Reads the records of the service; undefined if it has none. */
  parse: ParseRecord | undefined
}

/** Creates the command that imports an export of one kind. */
export function buildImportCommand({ brief, fullDescription, parse }: ImportKind) {
  return buildCommand<ImportFlags, [folder: string], CliContext>({
    docs: { brief, fullDescription },
    parameters: {
      positional: { kind: 'tuple', parameters: [textArgument('Folder with the export', 'folder')] },
      flags: {
        createApps: switchFlag('Make applications for identifiers that have none'),
        distribute: switchFlag('Give builds to groups that have the names of their old groups; nobody is notified'),
        dryRun: switchFlag('Only say what would happen'),
        ...remoteFlags,
      },
    },
    func(flags, folder) {
      return importFolder(this.io, flags, folder, parse)
    },
  })
}

async function importFolder(io: Io, flags: ImportFlags, folder: string, parse: ParseRecord | undefined): Promise<void> {
  const { client } = await openSession(io, flags)
  const call = { signal: io.signal }
  const applications = new ApplicationBook(io, client, await client.applications.list(call))
  const groups = flags.distribute ? await client.groups.list(call) : []
  const found = await readExport(resolve(io.cwd, folder), parse)
  const lines: ImportLine[] = found.refused.map(({ path, reason }) => ({
    kind: 'build',
    path,
    what: 'a file that is no build',
    outcome: 'left',
    note: reason,
  }))
  for (const [index, build] of found.builds.entries()) {
    const line = await moveBuild({ io, client, applications, groups, flags }, build)
    lines.push(line)
    writeNote(io, toShownLine(`${index + 1} of ${found.builds.length}: ${line.what}: ${line.outcome}, ${line.note}`))
  }
  const moved = { io, client, dryRun: flags.dryRun, applications: await client.applications.list(call) }
  lines.push(...(await moveSymbols(moved, found)))
  report(io, flags, lines)
}

function report(io: Io, { json, dryRun }: ImportFlags, lines: readonly ImportLine[]): void {
  const count = (outcome: ImportLine['outcome']) => lines.filter((line) => line.outcome === outcome).length
  const summary = { dryRun, taken: count('taken'), there: count('there'), left: count('left') }
  writeResult(io, json, { ...summary, items: lines }, () => {
    writeTable(io, lines, [
      { title: 'OUTCOME', value: ({ outcome }) => outcome },
      { title: 'WHAT', value: ({ what }) => what },
      { title: 'NOTE', value: ({ note }) => note },
      { title: 'FILE', value: ({ path }) => path },
    ])
    writeLine(
      io,
      `${summary.taken} ${dryRun ? 'would be taken' : 'taken'}, ${summary.there} there already, ${summary.left} left`,
    )
  })
  if (summary.left > 0)
    throw new CliError('incomplete', `${summary.left} items were not imported; the list gives the reasons`)
}
