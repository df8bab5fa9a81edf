import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { AppInfo } from '@fairlead/binary'
import type { Client } from '@fairlead/client'
import { readSource, type Source, type SourceFlags } from '../ci/source.ts'
import { CliError } from '../cli-error.ts'
import { readAppFile } from '../files/read-app-file.ts'
import type { Io } from '../io.ts'
import { type Application, chooseApplication } from '../lookups/application.ts'
import { type Group, requireGroups } from '../lookups/groups.ts'
import type { SymbolsPlan } from '../symbols/plan-symbols.ts'
import { type NotesFlags, readReleaseNotes } from '../lookups/release-notes.ts'

export interface UploadFlags extends NotesFlags, SourceFlags {
  readonly app?: string
  readonly mapping?: string
  readonly dsym?: readonly string[]
  readonly group?: readonly string[]
  readonly notify: boolean
}

/** An upload after all checks that are possible before sending. */
export interface UploadPlan {
  path: string
  fileName: string
  size: number
  app: AppInfo
  application: Application
  notes: string | undefined
  groups: Group[]
  notify: boolean
  source: Source
  /** Undefined if none were named. */
  symbols: SymbolsPlan | undefined
}

/** Reads the file, the notes, the application and the groups. Throws `CliError` or `BinaryError`. */
export async function planUpload(io: Io, client: Client, flags: UploadFlags, file: string): Promise<UploadPlan> {
  if (flags.notify && (flags.group ?? []).length === 0) {
    throw new CliError('usage', '--notify needs a group whose testers are told', { fix: 'Add --group NAME.' })
  }
  const path = resolve(io.cwd, file)
  const { size } = await stat(path)
  const stopping = new AbortController()
  const known = listKnown(client, flags.group ?? [], AbortSignal.any([io.signal, stopping.signal]))
  try {
    const app = await readAppFile(file, path)
    const notes = await readReleaseNotes(io, flags)
    const { applications, groups } = await known
    const application = chooseApplication(applications, flags.app, app)
    refuseOtherPlatform(application, app, applications)
    const source = readSource(io, flags)
    const symbols = await planNamedSymbols(io, client, application, flags, path)
    return {
      symbols,
      path,
      fileName: basename(path),
      size,
      app,
      application,
      notes,
      groups,
      notify: flags.notify,
      source,
    }
  } finally {
    // After a fault of the file or the notes, nothing waits for the server.
    stopping.abort()
  }
}

/** A mapping belongs to the app that is uploaded with it, whose version its file does not name. */
async function planNamedSymbols(
  io: Io,
  client: Client,
  application: Application,
  { mapping, dsym = [] }: UploadFlags,
  app: string,
): Promise<SymbolsPlan | undefined> {
  const paths = [...dsym, ...(mapping === undefined ? [] : [mapping])].map((path) => resolve(io.cwd, path))
  if (paths.length === 0) return undefined
  const { planSymbols } = await import('../symbols/plan-symbols.ts')
  return await planSymbols(io, client, application, { for: app, all: false }, paths)
}

/** Requests what the server knows, all at once, while the file is read. */
function listKnown(client: Client, groupNames: readonly string[], signal: AbortSignal) {
  const requests = [client.applications.list({ signal }), requireGroups({ signal }, client, groupNames)] as const
  const known = Promise.all(requests).then(([applications, groups]) => ({ applications, groups }))
  // If reading the file fails first, nothing awaits this promise, and its rejection must not be unhandled.
  known.catch(() => {})
  return known
}

/** Finds faults that the server would report only after the whole upload. */
function refuseOtherPlatform(application: Application, app: AppInfo, all: readonly Application[]): void {
  if (app.platform !== application.platform) {
    throw new CliError(
      'refused',
      `The file is for ${app.platform}, and ${application.alias} is for ${application.platform}`,
    )
  }
  const { bundleIdentifier } = application
  if (bundleIdentifier === null || bundleIdentifier === app.bundleIdentifier) return
  const isElsewhere = all.some((one) => one.platform === app.platform && one.bundleIdentifier === app.bundleIdentifier)
  if (isElsewhere) return
  throw new CliError(
    'refused',
    `The file is ${app.bundleIdentifier}, and ${application.alias} is ${bundleIdentifier}`,
    { fix: `Make an application for it: fairlead apps create ALIAS --platform ${app.platform}` },
  )
}
