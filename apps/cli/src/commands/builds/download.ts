import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Client, RequestError } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { appFlag, idArgument, remoteFlags, type RemoteFlags, switchFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import { requireApplication } from '../../lookups/application.ts'
import type { Build } from '../../output/build.ts'
import { openProgress, type ProgressDisplay } from '../../output/progress.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly latest: boolean
  readonly app?: string
  readonly branch?: string
  readonly group?: string
  readonly output?: string
  readonly force: boolean
}

export const command = buildCommand<Flags, [id?: number], CliContext>({
  docs: {
    brief: 'Download the binary of a build; its checksum is verified',
    fullDescription: [
      'Downloads a build by its id, or the newest one of an application:',
      '',
      '  fairlead builds download 412',
      '  fairlead builds download --latest --app shop --branch main --output shop.apk',
      '  fairlead builds download 412 --output - | sha256sum',
    ].join('\n'),
  },
  parameters: {
    positional: { kind: 'tuple', parameters: [{ ...idArgument('Id of the build'), optional: true }] },
    flags: {
      latest: switchFlag('The newest build of an application instead of an id'),
      app: appFlag,
      branch: textFlag('With --latest: only of this branch', 'branch'),
      group: textFlag('With --latest: only builds that this group has', 'name'),
      output: textFlag('File to write; the name of the build unless given; - is standard output', 'file'),
      force: switchFlag('Replace a file that is there'),
      ...remoteFlags,
    },
    aliases: { o: 'output' },
  },
  func(flags, id) {
    return downloadBuild(this.io, flags, id)
  },
})

/** The number of times that an interrupted download is resumed. */
const maxResumes = 5

async function downloadBuild(io: Io, flags: Flags, given: number | undefined): Promise<void> {
  if ((given !== undefined) === flags.latest) {
    throw new CliError('usage', 'Which build is meant?', { fix: 'Give its id, or --latest and --app ALIAS.' })
  }
  const { client } = await openSession(io, flags)
  const build = await findBuild(io, client, flags, given)
  if (flags.output === '-') return writeToStandardOutput(io, client, build)
  const { id } = build
  const path = resolve(io.cwd, flags.output ?? toFileName(build))
  const part = `${path}.${process.pid}.part`
  if (!flags.force) await refuseExisting(path)
  const progress = await openProgress(io, 'Received')
  try {
    await using file = await open(part, 'wx')
    await receive(io, client, build, (chunk) => file.write(chunk), progress)
    await rename(part, path)
  } finally {
    progress.stop()
    await rm(part, { force: true })
  }
  writeResult(io, flags.json, { id, path, size: build.size, sha256: build.sha256 }, () =>
    writeLine(io, `Wrote ${toShownLine(path)}`),
  )
}

async function findBuild(io: Io, client: Client, flags: Flags, id: number | undefined): Promise<Build> {
  if (id !== undefined) return await client.builds.get(id, { signal: io.signal })
  const { app, branch, group } = flags
  if (app === undefined) throw new CliError('usage', '--latest needs an application', { fix: 'Give --app ALIAS.' })
  const application = await requireApplication(io, client, app)
  const query = { limit: 1, branch, distributionGroupName: group }
  const { items } = await client.builds.listPage(application.id, query, { signal: io.signal })
  const [build] = items
  if (build) return build
  const ofBranch = branch === undefined ? '' : ` of the branch ${branch}`
  throw new CliError('notFound', `${app} has no build${ofBranch}${group === undefined ? '' : ` in the group ${group}`}`)
}

/** Bytes are written as they come, so a reader has to heed the exit code, which tells whether they are all. */
async function writeToStandardOutput(io: Io, client: Client, build: Build): Promise<void> {
  const write = async (chunk: Uint8Array) => {
    if (!io.stdout.write(chunk)) await once(io.stdout, 'drain', { signal: io.signal })
  }
  const progress = await openProgress(io, 'Received')
  try {
    await receive(io, client, build, write, progress)
  } finally {
    progress.stop()
  }
}

/** A file name from another server must not lead out of the folder. */
function toFileName({ id, fileName }: Build): string {
  const name = basename(fileName.replaceAll('\\', '/')).replace(/[\p{Cc}:*?"<>|]/gu, '_')
  return name === '' || name === '.' || name === '..' ? `build-${id}` : name
}

async function refuseExisting(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => undefined)
  await file?.close()
  if (file) throw new CliError('refused', `${path} exists`, { fix: 'Say --force to replace it, or --output FILE.' })
}

/** Receives the binary, resumes the download if the connection breaks, and compares its checksum at the end. */
async function receive(
  io: Io,
  client: Client,
  build: Build,
  write: (chunk: Uint8Array) => Promise<unknown>,
  progress: ProgressDisplay,
): Promise<void> {
  const hash = createHash('sha256')
  let received = 0
  for (let attempt = 0; ; attempt++) {
    const { start, size, body } = await client.builds.openBinary(build.id, { start: received, signal: io.signal })
    if (start !== received) throw new CliError('noAnswer', 'The server cannot resume the interrupted download')
    try {
      for await (const chunk of body) {
        await write(chunk)
        hash.update(chunk)
        received += chunk.byteLength
        progress.update({ sent: received, total: size })
      }
      break
    } catch (error) {
      if (!(error instanceof RequestError) || attempt === maxResumes) throw error
    }
  }
  if (hash.digest('hex') !== build.sha256) {
    throw new CliError('failed', 'The download does not have the checksum of the build')
  }
  progress.finish()
}
