import { isIP } from 'node:net'
import { z } from 'zod'
import { tokenPattern } from '@fairlead/contract'
import { parseHooksAllow } from './hooks-allow.ts'
import { parseS3Location } from './s3-location.ts'
import { parseSecretsKeys } from './secrets-key.ts'

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

const secretsKeys = z.string().transform((text, context) => {
  const keys = parseSecretsKeys(text)
  if (typeof keys !== 'string') return keys
  context.addIssue({ code: 'custom', message: keys })
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

/** The settings as they stand in the environment, each checked by itself; an issue says what is expected. */
export const Environment = z.object({
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
  FAIRLEAD_SECRETS_KEY: secretsKeys.default([]),
  FAIRLEAD_PROFILE_CERT_FILE: z.string().min(1).optional(),
  FAIRLEAD_PROFILE_KEY_FILE: z.string().min(1).optional(),
  FAIRLEAD_APPLE_API_URL: url(/^https?:$/, 'https://api.appstoreconnect.apple.com').default(
    'https://api.appstoreconnect.apple.com',
  ),
  FAIRLEAD_OIDC_PROVIDERS: z.string().optional(),
  FAIRLEAD_OIDC_PROVIDERS_FILE: z.string().optional(),
  FAIRLEAD_OIDC_SESSION_HOURS: wholeNumber(1, 24 * 90).default(12),
  FAIRLEAD_PASSWORD_SIGN_IN: z.enum(['on', 'server-admins']).default('on'),
  FAIRLEAD_INITIAL_API_TOKEN: z.string().regex(tokenPattern, 'must be fl_ and at least 32 of A-Za-z0-9_-').optional(),
})
