import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import envPaths from 'env-paths'
import { CliError } from '../cli-error.ts'
import { createFolder } from '../files/create-folder.ts'
import type { Io } from '../io.ts'
import { writeWarning } from '../output/write.ts'

/** A server to which the user has logged in. */
export interface Login {
  name: string
  url: string
  token: string
  /** Whether `fairlead login --web` made the token, so that logging out revokes it. */
  isOwn?: boolean
}

export interface Logins {
  /** The name of the default login. */
  current: string | null
  servers: Login[]
}

const none: Logins = { current: null, servers: [] }

function toFolder(io: Io): string {
  return io.env.FAIRLEAD_CONFIG_DIR ?? envPaths('fairlead', { suffix: '' }).config
}

function toPath(io: Io): string {
  return join(toFolder(io), 'logins.json')
}

/** Reads the logins of this machine; none if there is no file. */
export async function readLogins(io: Io): Promise<Logins> {
  const path = toPath(io)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (text === undefined) return none
  if (process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0) {
    writeWarning(io, `others on this machine can read ${path}; "chmod 600" keeps its tokens to you`)
  }
  const logins = parseLogins(text)
  if (logins) return logins
  throw new CliError('failed', `${path} is damaged`, { fix: 'Delete it and run "fairlead login" again.' })
}

/** Writes a temporary file and renames it, so that a killed process leaves either the old logins or the new ones. */
export async function saveLogins(io: Io, logins: Logins): Promise<void> {
  const path = toPath(io)
  const next = `${path}.${process.pid}`
  await createFolder(toFolder(io), 'FAIRLEAD_CONFIG_DIR')
  try {
    await writeFile(next, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await chmod(next, 0o600)
    await rename(next, path)
  } finally {
    await rm(next, { force: true })
  }
}

function parseLogins(text: string): Logins | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value) || !Array.isArray(value.servers)) return undefined
    const servers: unknown[] = value.servers
    if (!servers.every(isLogin)) return undefined
    return { current: typeof value.current === 'string' ? value.current : null, servers }
  } catch {
    return undefined
  }
}

function isLogin(value: unknown): value is Login {
  return isRecord(value) && [value.name, value.url, value.token].every((part) => typeof part === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
