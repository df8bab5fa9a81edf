import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { type Client, RequestError } from '@fairlead/client'
import { buildCommand } from '@stricli/core'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { idArgument, remoteFlags, type RemoteFlags, switchFlag, textFlag } from '../../flags.ts'
import type { Io } from '../../io.ts'
import type { Build } from '../../output/build.ts'
import { openProgress, type ProgressDisplay } from '../../output/progress.ts'
import { toShownLine } from '../../output/shown-text.ts'
import { writeLine, writeResult } from '../../output/write.ts'
import { openSession } from '../../settings/session.ts'

interface Flags extends RemoteFlags {
  readonly output?: string
  readonly force: boolean
}

export const command = buildCommand<Flags, [id: number], CliContext>({
  docs: { brief: 'Download the binary of a build; its checksum is verified' },
  parameters: {
    positional: { kind: 'tuple', parameters: [idArgument('Id of the build')] },
    flags: {
      output: textFlag('File to write; the name of the build unless given', 'file'),
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

async function downloadBuild(io: Io, flags: Flags, id: number): Promise<void> {
  const { client } = await openSession(io, flags)
  const build = await client.builds.get(id, { signal: io.signal })
  const path = resolve(io.cwd, flags.output ?? toFileName(build))
  const part = `${path}.${process.pid}.part`
  if (!flags.force) await refuseExisting(path)
  const progress = await openProgress(io, 'Received')
  try {
    const sha256 = await receive(io, client, build, part, progress)
    if (sha256 !== build.sha256) throw new CliError('failed', 'The download does not have the checksum of the build')
    await rename(part, path)
  } finally {
    progress.stop()
    await rm(part, { force: true })
  }
  writeResult(io, flags.json, { id, path, size: build.size, sha256: build.sha256 }, () =>
    writeLine(io, `Wrote ${toShownLine(path)}`),
  )
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

/** Writes the binary, resumes the download if the connection breaks, and returns the SHA-256 of the file. */
async function receive(io: Io, client: Client, build: Build, path: string, progress: ProgressDisplay): Promise<string> {
  const hash = createHash('sha256')
  await using file = await open(path, 'wx')
  let received = 0
  for (let attempt = 0; ; attempt++) {
    const { start, size, body } = await client.builds.openBinary(build.id, { start: received, signal: io.signal })
    if (start !== received) throw new CliError('noAnswer', 'The server cannot resume the interrupted download')
    try {
      for await (const chunk of body) {
        await file.write(chunk)
        hash.update(chunk)
        received += chunk.byteLength
        progress.update({ sent: received, total: size })
      }
      return hash.digest('hex')
    } catch (error) {
      if (!(error instanceof RequestError) || attempt === maxResumes) throw error
    }
  }
}
