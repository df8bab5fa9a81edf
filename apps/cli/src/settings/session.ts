import { type Client, type Connection, type ConnectionOptions, createClient, openConnection } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'
import { writeNote } from '../output/write.ts'
import { readVersion } from '../version.ts'
import type { Login, Logins } from './logins.ts'
import { readProject } from './project.ts'
import { looksLikeUrl, parseServerUrl } from './server-url.ts'

export interface ServerFlags {
  readonly server?: string
  readonly token?: string
}

/** The server that a command talks to, with the token. */
export interface ServerSettings {
  url: string
  token: string
  /** The name of the login that the address comes from; null if it comes from a flag or the environment. */
  loginName: string | null
  /** The source of the token, for people. */
  tokenSource: string
}

export interface Session extends ServerSettings {
  client: Client
}

/**
 * Flags take precedence over the environment, and that over the logins. A token of one server is never sent to another.
 */
async function readServerSettings(io: Io, flags: ServerFlags): Promise<ServerSettings> {
  const { url, login, project } = chooseServer(io, flags, await readNeededLogins(io, flags))
  if (flags.token !== undefined)
    return { url, token: flags.token, loginName: login?.name ?? null, tokenSource: '--token' }
  const fromEnv = io.env.FAIRLEAD_TOKEN
  if (fromEnv !== undefined && fromEnv !== '' && project === undefined) {
    return { url, token: fromEnv, loginName: login?.name ?? null, tokenSource: 'FAIRLEAD_TOKEN' }
  }
  if (login) return { url, token: login.token, loginName: login.name, tokenSource: `the login "${login.name}"` }
  throw new CliError('notSignedIn', `No token is set for ${url}`, {
    fix:
      project === undefined
        ? `Run "fairlead login ${url}", or set FAIRLEAD_TOKEN.`
        : `${project} names this server, so FAIRLEAD_TOKEN is not sent to it. Set FAIRLEAD_URL, too, or log in.`,
  })
}

/** Reads the logins unless the environment names both server and token, as in CI, where there may be no home folder. */
async function readNeededLogins(io: Io, { server, token }: ServerFlags): Promise<Logins> {
  const hasServer = server === undefined && looksLikeUrl(io.env.FAIRLEAD_URL ?? '')
  const hasToken = token !== undefined || (io.env.FAIRLEAD_TOKEN ?? '') !== ''
  if (hasServer && hasToken) return { current: null, servers: [] }
  const { readLogins } = await import('./logins.ts')
  return await readLogins(io)
}

interface Choice {
  url: string
  login: Login | undefined
  /** The project file, if nothing else names the server. */
  project?: string
}

function chooseServer(io: Io, { server }: ServerFlags, logins: Logins): Choice {
  const named = (name: string) => logins.servers.find((login) => login.name === name)
  const at = (url: string) => ({ url, login: logins.servers.find((login) => login.url === url) })
  const fromEnv = io.env.FAIRLEAD_URL
  const given = server ?? (fromEnv === '' ? undefined : fromEnv)
  if (given !== undefined) {
    const login = named(given)
    if (login) return { url: login.url, login }
    if (looksLikeUrl(given)) return at(parseServerUrl(given))
    const names = logins.servers.map(({ name }) => name).join(', ')
    throw new CliError('notSignedIn', `There is no login named "${given}"`, {
      fix:
        names === ''
          ? 'Write the address of a server as in a browser, with https://, or run "fairlead login".'
          : `The logins are: ${names}.`,
    })
  }
  const project = readProject(io)
  if (project?.server !== undefined) return { ...at(parseServerUrl(project.server)), project: project.path }
  const login = logins.current === null ? undefined : named(logins.current)
  if (login) return { url: login.url, login }
  throw new CliError('notSignedIn', 'No server is set', {
    fix: 'Run "fairlead login URL", or set FAIRLEAD_URL and FAIRLEAD_TOKEN.',
  })
}

/** Opens a client for the server that flags, environment and logins select. */
export async function openSession(io: Io, flags: ServerFlags): Promise<Session> {
  const settings = await readServerSettings(io, flags)
  return { ...settings, client: openClient(io, settings) }
}

/** How long a restart of the server is waited for, in seconds, unless the environment names another time. */
const defaultRetrySeconds = 60

function readRetrySeconds({ env: { FAIRLEAD_RETRY_SECONDS: text = '' } }: Io): number {
  if (text === '') return defaultRetrySeconds
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new CliError('usage', `FAIRLEAD_RETRY_SECONDS is a number of seconds, not ${JSON.stringify(text)}`)
}

/** Opens a client, without a token for what needs none. */
export function openClient(io: Io, settings: { url: string; token?: string }): Client {
  return createClient(toConnectionOptions(io, settings))
}

/** Opens a connection for requests that no function of the client has. */
export async function openPlainConnection(
  io: Io,
  flags: ServerFlags,
): Promise<{ url: string; connection: Connection }> {
  const settings = await readServerSettings(io, flags)
  return { url: settings.url, connection: openConnection(toConnectionOptions(io, settings)) }
}

function toConnectionOptions(io: Io, { url, token }: { url: string; token?: string }): ConnectionOptions {
  return {
    baseUrl: url,
    token,
    uploadRetryMs: readRetrySeconds(io) * 1000,
    headers: () => ({ 'User-Agent': `fairlead/${readVersion()} node/${process.versions.node}` }),
    onRetry: ({ error, delayMs }) => writeNote(io, `${error.detail}; trying again in ${(delayMs / 1000).toFixed(1)} s`),
  }
}
