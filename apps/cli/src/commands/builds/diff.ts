import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { compareApps, type Difference, type FileChange, growth, listDifferences } from '../../files/compare-apps.ts'
import { remoteFlags, type RemoteFlags, textArgument } from '../../flags.ts'
import type { Io } from '../../io.ts'
import type { Build } from '../../output/build.ts'
import { writeTable } from '../../output/table.ts'
import { formatBytes, formatBytesChange } from '../../output/units.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

export const command = buildCommand<RemoteFlags, [before: string, after: string], CliContext>({
  docs: {
    brief: 'Compare two builds: ids of the server, or files on this machine',
    fullDescription: [
      'Two files are compared without a server, with every file in them.',
      'Two ids are compared by what the server knows of them.',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [textArgument('The older build', 'id|file'), textArgument('The newer build', 'id|file')],
    },
    flags: remoteFlags,
  },
  func(flags, before, after) {
    return diffBuilds(this.io, flags, before, after)
  },
})

const shownFiles = 20

async function diffBuilds(io: Io, flags: RemoteFlags, before: string, after: string): Promise<void> {
  const isId = (text: string) => /^[1-9][0-9]{0,14}$/.test(text) && !existsSync(resolve(io.cwd, text))
  if (isId(before) !== isId(after))
    throw new CliError('usage', 'Two ids can be compared, or two files, but not one of each')
  if (isId(before)) await diffIds(io, flags, Number(before), Number(after))
  else await diffFiles(io, flags, resolve(io.cwd, before), resolve(io.cwd, after))
}

async function diffFiles(io: Io, flags: RemoteFlags, before: string, after: string): Promise<void> {
  const comparison = await compareApps(before, after)
  writeResult(io, flags.json, comparison, ({ differences, files }) => {
    writeSizes(io, comparison.before.size, comparison.after.size)
    writeDifferences(io, differences)
    writeFiles(io, files)
  })
}

async function diffIds(io: Io, flags: RemoteFlags, before: number, after: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const call = { signal: io.signal }
  const [old, next] = await Promise.all([client.builds.get(before, call), client.builds.get(after, call)])
  const differences = listDifferences(toFields(old), toFields(next))
  const result = { before: { id: before, size: old.size }, after: { id: after, size: next.size }, differences }
  writeResult(io, flags.json, result, () => {
    writeSizes(io, old.size, next.size)
    writeDifferences(io, differences)
  })
}

function toFields(build: Build): Record<string, string | null> {
  return {
    Application: build.applicationAlias,
    'Short version': build.shortVersion,
    Version: build.version,
    'Minimum OS': build.minOsVersion,
    'Target OS': build.targetOsVersion,
    Architectures: build.architectures.join(', '),
    Permissions: build.permissions.join(', '),
    Debuggable: String(build.debuggable),
    Signature: build.signing?.integrity ?? null,
    Certificates: build.signing && build.signing.certificates.map(({ sha256 }) => sha256).join(', '),
    Profile: build.signing?.profile?.name ?? null,
    Branch: build.source?.branch ?? null,
    Commit: build.source?.commit ?? null,
    Symbols: build.symbols && `${build.symbols.present} of ${build.symbols.expected}`,
  }
}

function writeSizes(io: Io, before: number, after: number): void {
  writeLine(io, `${formatBytes(before)} → ${formatBytes(after)} (${formatBytesChange(after - before)})`)
}

function writeDifferences(io: Io, differences: readonly Difference[]): void {
  writeTable(io, differences, [
    { title: 'FIELD', value: ({ field }) => field },
    { title: 'BEFORE', value: ({ before }) => before },
    { title: 'AFTER', value: ({ after }) => after },
  ])
}

function writeFiles(io: Io, files: readonly FileChange[]): void {
  if (files.length === 0) return
  writeLine(io)
  writeTable(io, files.slice(0, shownFiles), [
    { title: 'FILE', value: ({ path }) => path },
    { title: 'BEFORE', value: ({ before }) => (before === null ? '' : formatBytes(before)), align: 'right' },
    { title: 'AFTER', value: ({ after }) => (after === null ? '' : formatBytes(after)), align: 'right' },
    { title: 'CHANGE', value: (file) => formatBytesChange(growth(file)), align: 'right' },
  ])
  if (files.length > shownFiles) writeLine(io, `and ${files.length - shownFiles} more files; --json has them all`)
}
