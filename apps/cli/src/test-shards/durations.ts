import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { RequestError, type TestDuration } from '@fairlead/client'
import envPaths from 'env-paths'
import { CliError } from '../cli-error.ts'
import { createFolder } from '../files/create-folder.ts'
import type { ServerFlags } from '../settings/session.ts'
import type { Io } from '../io.ts'
import { requireApplication } from '../lookups/application.ts'
import { writeWarning } from '../output/write.ts'
import { openSession } from '../settings/session.ts'

export interface DurationFlags extends ServerFlags {
  readonly app: string
  readonly runKey?: string
  readonly cache?: string
  readonly offline: boolean
}

/** The server's answer, in the form in which a file keeps it. */
interface Answer {
  app: string
  /** The key of the run; null if there was none. */
  key: string | null
  durations: TestDuration[]
}

/**
 * The durations of an application's tests: from the server, or from the file that keeps its last answer. A kept answer
 * takes the place of the server's only for the same run, because shards with different durations leave tests out.
 */
export async function readDurations(io: Io, flags: DurationFlags, key: string | null): Promise<TestDuration[]> {
  const path = toPath(io, flags)
  if (flags.offline) {
    const kept = await readAnswer(path)
    if (kept) return kept.durations
    throw new CliError('notFound', `No durations are kept at ${path}`, {
      fix: 'Run "fairlead tests split --cache FILE" once where the server answers, and hand the file to every shard.',
    })
  }
  try {
    const durations = await askServer(io, flags, key)
    await saveAnswer(path, { app: flags.app, key, durations })
    return durations
  } catch (error) {
    if (!(error instanceof RequestError) || (error.httpStatus !== 0 && error.httpStatus < 500)) throw error
    const kept = await readAnswer(path)
    if (kept?.app !== flags.app || kept.key !== key) {
      throw new CliError('noAnswer', 'The durations of the tests are not known, so the files cannot be dealt', {
        cause: error,
        fix: 'All shards need the same durations. --offline takes those of --cache FILE, whatever run they are of.',
      })
    }
    writeWarning(io, `the server does not answer: the durations of ${path} are used`)
    return kept.durations
  }
}

async function askServer(io: Io, flags: DurationFlags, key: string | null): Promise<TestDuration[]> {
  const { client } = await openSession(io, flags)
  const { id } = await requireApplication(io, client, flags.app)
  const options = { signal: io.signal }
  if (key === null) return await client.tests.listDurations(id, options)
  return (await client.tests.createSplit(id, { key }, options)).durations
}

function toPath(io: Io, { cache, app, server }: DurationFlags): string {
  if (cache !== undefined) return resolve(io.cwd, cache)
  const folder = io.env.FAIRLEAD_CACHE_DIR ?? envPaths('fairlead', { suffix: '' }).cache
  const owner = JSON.stringify([server ?? io.env.FAIRLEAD_URL ?? '', app])
  return join(folder, 'durations', `${createHash('sha256').update(owner).digest('hex').slice(0, 32)}.json`)
}

async function saveAnswer(path: string, answer: Answer): Promise<void> {
  await createFolder(dirname(path), 'FAIRLEAD_CACHE_DIR')
  const next = `${path}.${process.pid}`
  try {
    await writeFile(next, `${JSON.stringify(answer)}\n`)
    await rename(next, path)
  } finally {
    await rm(next, { force: true })
  }
}

async function readAnswer(path: string): Promise<Answer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const answer = parseAnswer(text)
  if (answer) return answer
  throw new CliError('refused', `${path} holds no durations of tests`, { fix: 'Delete the file.' })
}

function parseAnswer(text: string): Answer | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(value) || typeof value['app'] !== 'string' || !Array.isArray(value['durations'])) return undefined
  const durations: unknown[] = value['durations']
  if (!durations.every(isDuration)) return undefined
  return { app: value['app'], key: typeof value['key'] === 'string' ? value['key'] : null, durations }
}

function isDuration(value: unknown): value is TestDuration {
  if (!isRecord(value) || typeof value['durationMs'] !== 'number') return false
  return ['file', 'class', 'suite'].every((name) => value[name] === null || typeof value[name] === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
