import { join, resolve } from 'node:path'
import type { z } from 'zod'
import type { MessageSigner } from '@fairlead/binary'
import type { Delivery } from './settings/delivery.ts'
import { Environment } from './settings/environment.ts'
import { isOfCommandLine, isServiceLink } from './settings/foreign-variables.ts'
import type { Quotas, WorkspaceCreation } from './settings/quotas.ts'
import { type OidcProvider, readOidcProviders } from './settings/oidc-providers.ts'
import type { HooksAllow } from './settings/hooks-allow.ts'
import { readProfileSigner } from './settings/profile-signer.ts'
import type { SecretsKey } from './settings/secrets-key.ts'
import type { S3Location } from './settings/s3-location.ts'

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
  /** The keys that encrypt secrets in the database, the one in use first; without one they are stored readable. */
  secretsKeys: SecretsKey[]
  /** Signs the profiles that ask devices for their UDID; null leaves them bare. */
  profileSigner: MessageSigner | null
  /** The address of the App Store Connect API. */
  appleApiUrl: string
  oidc: OidcSettings
  /** Whether passwords work for everybody, or for administrators of the server only. */
  passwordSignIn: 'on' | 'server-admins'
  /** Variables of Kubernetes that begin like settings; they are ignored. */
  serviceLinks: string[]
}

export interface OidcSettings {
  providers: OidcProvider[]
  /** How long a session through a provider lasts, in milliseconds, whatever happens. */
  sessionMs: number
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
  const { FAIRLEAD_PROFILE_CERT_FILE: profileFile, FAIRLEAD_PROFILE_KEY_FILE: profileKeyFile } = given
  const profileSigner = readProfileSigner(profileFile, profileKeyFile)
  if (typeof profileSigner === 'string') faults.push(profileSigner)
  const oidc = readOidcProviders(given)
  faults.push(...oidc.faults)
  if (!result.success || typeof profileSigner === 'string' || faults.length > 0) throw new ConfigError(faults)
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
    secretsKeys: settings.FAIRLEAD_SECRETS_KEY,
    profileSigner,
    appleApiUrl: settings.FAIRLEAD_APPLE_API_URL.replace(/\/+$/, ''),
    oidc: { providers: oidc.providers, sessionMs: settings.FAIRLEAD_OIDC_SESSION_HOURS * 3_600_000 },
    passwordSignIn: settings.FAIRLEAD_PASSWORD_SIGN_IN,
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
