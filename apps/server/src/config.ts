import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { tokenPattern } from '@fairlead/contract'
import type { Delivery } from './settings/delivery.ts'
import type { Quotas, WorkspaceCreation } from './settings/quotas.ts'
import { type HooksAllow, parseHooksAllow } from './settings/hooks-allow.ts'
import { parseS3Location, type S3Location } from './settings/s3-location.ts'

/** The settings from the environment, validated once at the start. */
export interface Config {
  host: string
  port: number
  /** The prefix of every link, without a trailing slash. */
  baseUrl: string
  dataDir: string
  /** Null selects the embedded database in `dataDir`. */
  databaseUrl: string | null
  /** The most connections to PostgreSQL. */
  databaseConnections: number
  /** The longest time that PostgreSQL may take for a statement, in milliseconds. */
  databaseTimeoutMs: number
  /** Null keeps blobs as files in `dataDir`. */
  storage: S3Location | null
  /** The most bytes that copies of remote symbols may take on this machine. */
  maxCacheBytes: number
  /** The program that sends the bytes of downloads. */
  delivery: Delivery
  /** Null keeps mails in the outbox. */
  smtpUrl: string | null
  mailFrom: string
  maxUploadBytes: number
  uploadIdleMs: number
  /** The bytes that uploads must leave free on the data folder's disk; null for a twentieth of it, at most 256 MiB. */
  diskReserveBytes: number | null
  /** How long the shortest JSON body may take to arrive, in milliseconds; longer bodies may take longer. */
  bodyTimeoutMs: number
  maxConnections: number
  maxConnectionsPerAddress: number
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /** Whether one proxy is in front, or the addresses of the proxies. */
  trustProxy: boolean | string
  /** The token that `/metrics` asks for; null turns `/metrics` off. */
  metricsToken: string | null
  /** Who may create workspaces. */
  workspaceCreation: WorkspaceCreation
  quotas: Quotas
  /** How many days builds stay in the trash; 0 deletes them at once. */
  trashDays: number
  initialApiToken: string | null
  hooks: HookSettings
  /** Variables of Kubernetes that begin like settings; they are ignored. */
  serviceLinks: string[]
}

export interface HookSettings {
  /** What hooks may reach inside the own network. */
  allow: HooksAllow
  /** The pauses between the attempts of a delivery, in milliseconds. */
  retryMs: number[]
  /** Without one success for so long, a delivery that is given up turns its hook off. */
  disableMs: number
}

/** Collects every fault in the environment; each names its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: string[]

  constructor(faults: string[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

const wholeNumber = (minimum: number, maximum: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(minimum).max(maximum))

const url = (protocols: RegExp, example: string) =>
  z.string().refine((text) => {
    const parsed = URL.parse(text)
    return parsed !== null && protocols.test(parsed.protocol)
  }, `must look like ${example}`)

/** Links are made by appending a path, so a query or fragment would break them. */
const baseUrl = url(/^https?:$/, 'https://builds.example.com').refine((text) => {
  const parsed = URL.parse(text)
  return parsed === null || parsed.search + parsed.hash + parsed.username + parsed.password === ''
}, 'must have no query, no fragment and no password')

const proxies = z
  .string()
  .refine(
    (text) => ['true', 'false'].includes(text) || text.split(',').every((part) => isProxy(part.trim())),
    'must be true, false, or addresses and networks such as 10.0.0.1,192.168.0.0/16,loopback',
  )

function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [, address = '', prefix = '0'] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  return version !== 0 && Number(prefix) <= (version === 4 ? 32 : 128)
}

const storage = z.string().transform((text, context) => {
  const location = parseS3Location(text)
  if (typeof location !== 'string') return location
  context.addIssue({ code: 'custom', message: location })
  return z.NEVER
})

const hooksAllow = z.string().transform((text, context) => {
  const allow = parseHooksAllow(text)
  if (typeof allow !== 'string') return allow
  context.addIssue({ code: 'custom', message: allow })
  return z.NEVER
})

/** Seconds, separated by commas. */
const pauses = z
  .string()
  .regex(/^\s*\d{1,7}(\.\d{1,3})?\s*(,\s*\d{1,7}(\.\d{1,3})?\s*){0,19}$/, 'must be 1 to 20 numbers of seconds')
  .transform((text) => text.split(',').map((part) => Math.round(Number(part) * 1000)))

/** The value is `x-accel-redirect:/internal/` for nginx and `x-sendfile` for Apache and lighttpd. */
const accel = z
  .string()
  .regex(/^(x-accel-redirect:\/[\w./-]*\/|x-sendfile)$/, 'must be x-accel-redirect:/internal/ or x-sendfile')

const Environment = z.object({
  FAIRLEAD_HOST: z.string().min(1).default('127.0.0.1'),
  FAIRLEAD_PORT: wholeNumber(0, 65_535).default(8080),
  FAIRLEAD_BASE_URL: baseUrl.optional(),
  FAIRLEAD_DATA_DIR: z.string().min(1).default('./data'),
  FAIRLEAD_DATABASE_URL: url(/^postgres(ql)?:$/, 'postgres://user:password@host/database').optional(),
  FAIRLEAD_DATABASE_CONNECTIONS: wholeNumber(2, 1000).default(10),
  FAIRLEAD_DATABASE_TIMEOUT_SECONDS: wholeNumber(1, 3600).default(30),
  FAIRLEAD_STORAGE_URL: storage.optional(),
  FAIRLEAD_STORAGE_CACHE_BYTES: wholeNumber(0, 2 ** 44).default(4 * 2 ** 30),
  FAIRLEAD_DOWNLOADS: z.enum(['redirect', 'server']).optional(),
  FAIRLEAD_ACCEL: accel.optional(),
  FAIRLEAD_SMTP_URL: url(/^smtps?:$/, 'smtp://user:password@host:587').optional(),
  FAIRLEAD_MAIL_FROM: z.string().min(3).optional(),
  FAIRLEAD_TRASH_DAYS: wholeNumber(0, 3650).default(7),
  FAIRLEAD_MAX_UPLOAD_BYTES: wholeNumber(1, 2 ** 44).default(4 * 2 ** 30),
  FAIRLEAD_UPLOAD_IDLE_SECONDS: wholeNumber(1, 3600).default(60),
  FAIRLEAD_DISK_RESERVE_BYTES: wholeNumber(0, 2 ** 44).optional(),
  FAIRLEAD_BODY_TIMEOUT_SECONDS: wholeNumber(1, 3600).default(30),
  FAIRLEAD_MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(4096),
  FAIRLEAD_MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 1_000_000).default(256),
  FAIRLEAD_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  FAIRLEAD_TRUST_PROXY: proxies.default('false'),
  FAIRLEAD_METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters').max(200).optional(),
  FAIRLEAD_WORKSPACE_CREATION: z.enum(['admins', 'members', 'server-admins']).default('admins'),
  FAIRLEAD_WORKSPACE_MAX_BYTES: wholeNumber(1, 2 ** 50).optional(),
  FAIRLEAD_WORKSPACE_MAX_BUILDS: wholeNumber(1, 10 ** 9).optional(),
  FAIRLEAD_WORKSPACE_MAX_MAILS_PER_HOUR: wholeNumber(1, 10 ** 7).default(5000),
  FAIRLEAD_HOOKS_ALLOW: hooksAllow.default({ networks: [], hosts: [] }),
  FAIRLEAD_HOOK_RETRY_SECONDS: pauses.default(
    [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400].map((seconds) => seconds * 1000),
  ),
  FAIRLEAD_HOOK_DISABLE_SECONDS: wholeNumber(0, 10 ** 9).default(432_000),
  FAIRLEAD_INITIAL_API_TOKEN: z.string().regex(tokenPattern, 'must be fl_ and at least 32 of A-Za-z0-9_-').optional(),
})

/**
 * Reads the settings from an environment.
 *
 * @throws {ConfigError} naming every wrong variable and every unknown FAIRLEAD_ variable
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  // Many tools write "unset" as an empty variable.
  const named = Object.entries(env).filter(([, value]) => value !== '')
  const serviceLinks = named.filter(([name, value]) => isServiceLink(name, value)).map(([name]) => name)
  const given = Object.fromEntries(named.filter(([name]) => !serviceLinks.includes(name) && !isOfCommandLine(name)))
  const faults = findUnknownSettings(given)
  const result = Environment.safeParse(given)
  if (!result.success) {
    faults.push(...result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`))
  }
  if (result.success) faults.push(...findContradictions(result.data))
  if (!result.success || faults.length > 0) throw new ConfigError(faults)
  const settings = result.data
  const baseUrl =
    settings.FAIRLEAD_BASE_URL ?? `http://${defaultHost(settings.FAIRLEAD_HOST)}:${settings.FAIRLEAD_PORT}`
  return {
    host: settings.FAIRLEAD_HOST,
    port: settings.FAIRLEAD_PORT,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    dataDir: settings.FAIRLEAD_DATA_DIR,
    databaseUrl: settings.FAIRLEAD_DATABASE_URL ?? null,
    databaseConnections: settings.FAIRLEAD_DATABASE_CONNECTIONS,
    databaseTimeoutMs: settings.FAIRLEAD_DATABASE_TIMEOUT_SECONDS * 1000,
    storage: settings.FAIRLEAD_STORAGE_URL ?? null,
    maxCacheBytes: settings.FAIRLEAD_STORAGE_CACHE_BYTES,
    delivery: readDelivery(settings),
    smtpUrl: settings.FAIRLEAD_SMTP_URL ?? null,
    mailFrom: settings.FAIRLEAD_MAIL_FROM ?? `Fairlead <fairlead@${new URL(baseUrl).hostname}>`,
    maxUploadBytes: settings.FAIRLEAD_MAX_UPLOAD_BYTES,
    uploadIdleMs: settings.FAIRLEAD_UPLOAD_IDLE_SECONDS * 1000,
    diskReserveBytes: settings.FAIRLEAD_DISK_RESERVE_BYTES ?? null,
    bodyTimeoutMs: settings.FAIRLEAD_BODY_TIMEOUT_SECONDS * 1000,
    maxConnections: settings.FAIRLEAD_MAX_CONNECTIONS,
    maxConnectionsPerAddress: settings.FAIRLEAD_MAX_CONNECTIONS_PER_ADDRESS,
    logLevel: settings.FAIRLEAD_LOG_LEVEL,
    trustProxy: readTrustProxy(settings.FAIRLEAD_TRUST_PROXY),
    metricsToken: settings.FAIRLEAD_METRICS_TOKEN ?? null,
    workspaceCreation: settings.FAIRLEAD_WORKSPACE_CREATION,
    trashDays: settings.FAIRLEAD_TRASH_DAYS,
    quotas: {
      maxBytes: settings.FAIRLEAD_WORKSPACE_MAX_BYTES ?? null,
      maxBuilds: settings.FAIRLEAD_WORKSPACE_MAX_BUILDS ?? null,
      maxMailsPerHour: settings.FAIRLEAD_WORKSPACE_MAX_MAILS_PER_HOUR,
    },
    initialApiToken: settings.FAIRLEAD_INITIAL_API_TOKEN ?? null,
    hooks: {
      allow: settings.FAIRLEAD_HOOKS_ALLOW,
      retryMs: settings.FAIRLEAD_HOOK_RETRY_SECONDS,
      disableMs: settings.FAIRLEAD_HOOK_DISABLE_SECONDS * 1000,
    },
    serviceLinks,
  }
}

function findContradictions(settings: z.infer<typeof Environment>): string[] {
  const hasStore = settings.FAIRLEAD_STORAGE_URL !== undefined
  const faults: string[] = []
  if (hasStore && settings.FAIRLEAD_ACCEL !== undefined) {
    faults.push('FAIRLEAD_ACCEL cannot be set with FAIRLEAD_STORAGE_URL: the front server has no files to send')
  }
  if (!hasStore && settings.FAIRLEAD_DOWNLOADS === 'redirect') {
    faults.push('FAIRLEAD_DOWNLOADS cannot be redirect without FAIRLEAD_STORAGE_URL')
  }
  return faults
}

function readDelivery(settings: z.infer<typeof Environment>): Delivery {
  const { FAIRLEAD_ACCEL: accel, FAIRLEAD_DOWNLOADS: downloads, FAIRLEAD_STORAGE_URL: storage } = settings
  if (accel === 'x-sendfile') {
    return { kind: 'frontServer', header: accel, prefix: `${join(resolve(settings.FAIRLEAD_DATA_DIR), 'blobs')}/` }
  }
  if (accel !== undefined) {
    return { kind: 'frontServer', header: 'x-accel-redirect', prefix: accel.slice('x-accel-redirect:'.length) }
  }
  return storage !== undefined && downloads !== 'server' ? { kind: 'redirect' } : { kind: 'server' }
}

/**
 * Kubernetes sets variables of this form in every pod for each Service of the namespace (`enableServiceLinks`), so that
 * a Service named `fairlead` gives `FAIRLEAD_PORT=tcp://10.0.0.1:80`. A number is a setting.
 */
function isServiceLink(name: string, value = ''): boolean {
  if (!/^FAIRLEAD(_[A-Z0-9]+)*_/.test(name)) return false
  if (name.endsWith('_SERVICE_HOST')) return isIP(value) !== 0 || value === 'None'
  if (/_SERVICE_PORT(_[A-Z0-9_]+)?$/.test(name)) return /^\d+$/.test(value)
  if (/_PORT_\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)$/.test(name)) return true
  return /_PORT(_\d+_(TCP|UDP|SCTP))?$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value)
}

/** The variables of the command line, which a shell may have that also starts the server or makes a backup. */
const ofCommandLine = new Set([
  'FAIRLEAD_URL',
  'FAIRLEAD_TOKEN',
  'FAIRLEAD_CLI',
  'FAIRLEAD_CONFIG_DIR',
  'FAIRLEAD_CACHE_DIR',
  'FAIRLEAD_RETRY_SECONDS',
  'FAIRLEAD_BUILD_ID',
  'FAIRLEAD_INSTALL_URL',
  'FAIRLEAD_VERSION',
])

function isOfCommandLine(name: string): boolean {
  return ofCommandLine.has(name)
}

/** A misspelled setting would otherwise be ignored silently. */
function findUnknownSettings(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter(
      (name) => name.startsWith('FAIRLEAD_') && !name.startsWith('FAIRLEAD_TEST_') && !(name in Environment.shape),
    )
    .map((name) => `${name} is not a setting of Fairlead`)
}

function defaultHost(host: string): string {
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function readTrustProxy(text: string): boolean | string {
  if (text === 'true') return true
  if (text === 'false') return false
  return text
}
