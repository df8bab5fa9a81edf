import { dirname, sep } from 'node:path'
import { readFile } from 'node:fs/promises'
import { BinaryError, isPlistDictionary, openZip, parsePlist } from '@fairlead/binary'
import { type Client, RequestError } from '@fairlead/client'
import type { Io } from '../io.ts'
import type { Application } from '../lookups/application.ts'
import { readArchivedDsyms, readDsym } from '../symbols/dsym-images.ts'
import { zipDsyms } from '../symbols/zip-dsyms.ts'
import type { ImportLine } from './import-line.ts'
import type { ExportedBuild, Export } from './read-export.ts'

interface Place {
  io: Io
  client: Client
  dryRun: boolean
  /** The applications after the builds were imported. */
  applications: readonly Application[]
}

/** Imports the symbols of an export, each to the application that it names, or whose build lies beside it. */
export async function moveSymbols(place: Place, { files, builds }: Export): Promise<ImportLine[]> {
  const lines: ImportLine[] = []
  for (const path of files.archives) {
    const line = await moveArchive(place, path)
    if (line) lines.push(line)
  }
  for (const path of files.dsyms) lines.push(await moveDsym(place, path))
  for (const path of files.mappings) lines.push(await moveMapping(place, path, builds))
  return lines
}

/** A zip without a dSYM does not belong to the import. */
async function moveArchive(place: Place, path: string): Promise<ImportLine | undefined> {
  try {
    const files = await readArchivedDsyms(path)
    if (files.length === 0) return undefined
    const uuids = files.flatMap(({ images }) => images.map(({ uuid }) => uuid))
    return await send(place, path, uuids, readArchivedIdentifier(path), (alias) =>
      place.client.symbols.upload({ alias, file: path, signal: place.io.signal }),
    )
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return { kind: 'symbols', path, what: 'dSYMs', outcome: 'left', note: error.message }
  }
}

async function moveDsym(place: Place, path: string): Promise<ImportLine> {
  const uuids = (await readDsym(path)).flatMap(({ images }) => images.map(({ uuid }) => uuid))
  const plist = await readFile(`${path}/Contents/Info.plist`).catch(() => undefined)
  return await send(place, path, uuids, plist && toIdentifier(plist), async (alias) => {
    await using zip = await zipDsyms([path], place.io.signal)
    await place.client.symbols.upload({ alias, file: zip.path, signal: place.io.signal })
  })
}

async function send(
  { io, client, dryRun, applications }: Place,
  path: string,
  uuids: readonly string[],
  identifier: string | undefined,
  upload: (alias: string) => Promise<void>,
): Promise<ImportLine> {
  const line = (outcome: ImportLine['outcome'], note: string): ImportLine => ({
    kind: 'symbols',
    path,
    what: `dSYMs of ${identifier ?? 'an unknown app'}`,
    outcome,
    note,
  })
  const application = chooseApplication(applications, identifier)
  if (!application) return line('left', 'no application has the identifier in its Info.plist')
  const held = await client.symbols.list(application.id, { signal: io.signal })
  const known = new Set(held.flatMap(({ images }) => images.map(({ uuid }) => uuid)))
  if (uuids.length > 0 && uuids.every((uuid) => known.has(uuid))) return line('there', 'the server has all its images')
  if (dryRun) return line('taken', `would go to ${application.alias}`)
  return await attempt(line, application.alias, () => upload(application.alias))
}

async function attempt(
  line: (outcome: ImportLine['outcome'], note: string) => ImportLine,
  alias: string,
  upload: () => Promise<void>,
): Promise<ImportLine> {
  try {
    await upload()
    return line('taken', `to ${alias}`)
  } catch (error) {
    if (error instanceof RequestError && [400, 413, 422].includes(error.httpStatus)) return line('left', error.detail)
    throw error
  }
}

/** The identifier of an extension or framework starts with that of its app. */
function chooseApplication(applications: readonly Application[], identifier: string | undefined) {
  const apple = applications.filter(({ platform }) => platform === 'ios')
  const suiting = apple
    .filter(({ bundleIdentifier: own }) => own !== null && (identifier === own || identifier?.startsWith(`${own}.`)))
    .toSorted((a, b) => (b.bundleIdentifier ?? '').length - (a.bundleIdentifier ?? '').length)
  return suiting[0] ?? (apple.length === 1 && identifier === undefined ? apple[0] : undefined)
}

const maxPlistBytes = 1024 * 1024

/** If there are several dSYMs, that of the app has the shortest identifier. */
function readArchivedIdentifier(path: string): string | undefined {
  using archive = openZip(path, { onOddity: () => {} })
  const identifiers = archive.entries
    .filter(({ name }) => /\.dSYM\/Contents\/Info\.plist$/i.test(name) && !name.startsWith('__MACOSX/'))
    .flatMap((entry) => toIdentifier(archive.readEntry(entry, maxPlistBytes)) ?? [])
  return identifiers.toSorted((a, b) => a.length - b.length)[0]
}

/** Xcode writes `com.apple.xcode.dsym.` before the identifier of the binary. */
function toIdentifier(plist: Buffer): string | undefined {
  try {
    const value = parsePlist(plist)
    const identifier = isPlistDictionary(value) ? value.CFBundleIdentifier : undefined
    return typeof identifier === 'string' ? identifier.replace(/^com\.apple\.xcode\.dsym\./, '') : undefined
  } catch (error) {
    if (error instanceof BinaryError) return undefined
    throw error
  }
}

/** A mapping does not name its build, so it is imported only if the APK is in its folder or above it. */
async function moveMapping(place: Place, path: string, builds: readonly ExportedBuild[]): Promise<ImportLine> {
  const line = (outcome: ImportLine['outcome'], note: string): ImportLine => ({
    kind: 'symbols',
    path,
    what: 'mapping',
    outcome,
    note,
  })
  const around = builds.filter(
    (build) => build.app.platform === 'android' && `${dirname(path)}${sep}`.startsWith(`${dirname(build.path)}${sep}`),
  )
  const closest = Math.max(...around.map((build) => dirname(build.path).length))
  const [build, ...others] = around.filter((one) => dirname(one.path).length === closest)
  if (!build || others.length > 0) return line('left', 'not exactly one APK lies in its folder')
  const { bundleIdentifier, shortVersion, version } = build.app
  const application = place.applications.find(
    (one) => one.platform === 'android' && one.bundleIdentifier === bundleIdentifier,
  )
  if (!application) return line('left', `no application has the identifier ${bundleIdentifier}`)
  if (place.dryRun) return line('taken', `would go to ${application.alias}`)
  const mapping = { bundleIdentifier, shortVersion: shortVersion ?? '', version: version ?? '' }
  return await attempt(line, application.alias, () =>
    place.client.symbols.upload({ alias: application.alias, file: path, mapping, signal: place.io.signal }),
  )
}
