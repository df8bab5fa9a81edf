import { resolve } from 'node:path'
import { buildCommand } from '@stricli/core'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { appFlag, listFlag, remoteFlags, type RemoteFlags, switchFlag, textArgument, textFlag } from '../flags.ts'
import type { Io } from '../io.ts'
import { requireApplication } from '../lookups/application.ts'
import { readReport } from '../lookups/read-input.ts'
import { toShownText } from '../output/shown-text.ts'
import { writeResult, writeWarning } from '../output/write.ts'
import { openSession } from '../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly app?: string
  readonly symbols?: readonly string[]
  readonly version?: string
  readonly shortVersion?: string
  readonly strict: boolean
}

export const command = buildCommand<Flags, [file: string], CliContext>({
  docs: {
    brief: 'Symbolicate a crash: .ips, .crash, a stack, or an Android trace, log or tombstone',
    fullDescription: [
      'With the symbols that the server has for an application:',
      '  fairlead symbolicate crash.ips --app shop',
      '',
      'Without a server, with symbols on this machine (an .xcarchive, dSYMs, zips, a mapping.txt, source maps):',
      '  fairlead symbolicate crash.ips --symbols Shop.xcarchive',
      '',
      'What is built from local symbols is kept in the cache folder, so that the next crash takes an instant.',
    ].join('\n'),
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [textArgument('The report; - is standard input', 'file')] },
    flags: {
      app: { ...appFlag, brief: 'Alias of the application whose symbols on the server are used' },
      symbols: listFlag('Symbols on this machine; may be given several times', 'path'),
      version: textFlag('Version code of the mapping, where an Android trace does not say', 'code'),
      shortVersion: textFlag('Version name of the mapping, where an Android trace does not say', 'name'),
      strict: switchFlag('Fail when symbols are missing'),
      ...remoteFlags,
    },
  },
  func(flags, file) {
    return symbolicateFile(this.io, flags, file)
  },
})

async function symbolicateFile(io: Io, flags: Flags, file: string): Promise<void> {
  const { app, symbols = [], strict, json } = flags
  if ((app === undefined) === (symbols.length === 0)) {
    throw new CliError('usage', 'Symbols come either from the server or from this machine', {
      fix: 'Give --app ALIAS, or --symbols PATH.',
    })
  }
  const report = await readReport(io, file)
  const crash = app === undefined ? await readLocally(io, report, symbols) : await readRemotely(io, flags, app, report)
  writeResult(io, json, crash, () => io.stdout.write(`${toShownText(crash.text).trimEnd()}\n`))
  if (!json) for (const warning of crash.warnings) writeWarning(io, warning)
  const missing = crash.missingSymbols.map(({ name, uuid }) => `${name} (${uuid ?? 'no UUID'})`)
  if (missing.length === 0) return
  if (strict) throw new CliError('incomplete', `Symbols are missing: ${missing.join(', ')}`)
  if (!json) writeWarning(io, `Symbols are missing: ${missing.join(', ')}`)
}

async function readRemotely(io: Io, flags: Flags, alias: string, report: Buffer<ArrayBuffer>) {
  const { client } = await openSession(io, flags)
  const { id } = await requireApplication(io, client, alias)
  const { version, shortVersion } = flags
  return await client.symbols.symbolicate(id, new Blob([report]), { version, shortVersion }, { signal: io.signal })
}

async function readLocally(io: Io, bytes: Buffer, paths: readonly string[]) {
  const { detectPlatform, readReport: parseCrash } = await import('@fairlead/symbols')
  const { readLocalSymbols } = await import('../symbols/local-symbols.ts')
  const crash = parseCrash(bytes, detectPlatform(bytes.toString()))
  const { images, kind, mapId } = crash.contents
  const uuids = new Set(images.flatMap(({ uuid }) => uuid ?? []))
  const sources = paths.map((path) => resolve(io.cwd, path))
  const { problems, ...source } = await readLocalSymbols(io, sources, {
    uuids,
    mapId,
    isJavaScript: kind === 'javascript',
  })
  const resolved = await crash.resolve(source)
  return { ...resolved, warnings: [...resolved.warnings, ...problems] }
}
