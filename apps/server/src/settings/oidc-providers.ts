import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** An OpenID provider that people sign in through. */
export interface OidcProvider {
  /** Its name in addresses and rows. */
  key: string
  /** Its name on buttons. */
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  /** The claim that lists the groups of a person. */
  groupsClaim: string
  /** The domains of e-mail addresses for which the provider's word counts, in lower case. */
  domains: string[]
  /** Whether people of these domains get an account when they sign in first. */
  createAccounts: boolean
  /** Whether a verified address of these domains links an existing account without its password. */
  linkByEmail: boolean
  /** Whether addresses count as verified when the provider does not say whether they are. */
  emailIsVerified: boolean
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
/** Issuers of Entra that let people of any company in, who can give themselves any e-mail address. */
const anyTenant = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i

const issuer = z
  .string()
  .max(500)
  .refine((text) => {
    const url = URL.parse(text)
    if (url === null || url.search + url.hash + url.username + url.password !== '') return false
    return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname))
  }, 'must be an https address without a query; http only on loopback')
  .refine(
    (text) => !anyTenant.test(text),
    'must name one tenant, because everybody can have an account at this address',
  )

const oneLine = (limit: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(limit)
    .regex(/^\P{Cc}*$/u, 'must be one line')

const Entry = z.strictObject({
  key: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and -')
    .refine((key) => key !== 'password', {
      message: 'must not be password, which names another way to sign in',
    }),
  name: oneLine(100),
  issuer,
  clientId: oneLine(500),
  clientSecret: z.string().min(1).max(5000).optional(),
  clientSecretFile: z.string().min(1).optional(),
  scopes: oneLine(500)
    .refine((scopes) => scopes.split(/\s+/).includes('openid'), 'must contain openid')
    .default('openid email profile'),
  groupsClaim: oneLine(200).default('groups'),
  domains: z
    .array(
      z
        .string()
        .toLowerCase()
        .max(253)
        .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain such as example.com'),
    )
    .max(200)
    .default([]),
  createAccounts: z.boolean().default(true),
  linkByEmail: z.boolean().default(false),
  emailIsVerified: z.boolean().default(false),
})

/** Reads the JSON of the setting. Returns the providers, or a sentence for each fault. */
function parseOidcProviders(text: string): { providers: OidcProvider[]; faults: string[] } {
  const json = parseJson(text)
  if (json === undefined) return { providers: [], faults: ['must be a JSON array of providers'] }
  const result = z.array(Entry).max(50).safeParse(json)
  if (!result.success) return { providers: [], faults: result.error.issues.map(toFault) }
  const faults: string[] = []
  const providers = result.data.map(({ clientSecretFile, ...entry }, place): OidcProvider => {
    const clientSecret = readSecret({ clientSecret: entry.clientSecret, clientSecretFile })
    if (clientSecret === undefined)
      faults.push(`/${place} must have clientSecret, or clientSecretFile that can be read`)
    if (result.data.findIndex(({ key }) => key === entry.key) !== place) faults.push(`/${place}/key is taken`)
    if (entry.linkByEmail && entry.domains.length === 0) faults.push(`/${place}/linkByEmail needs domains`)
    return { ...entry, clientSecret: clientSecret ?? '' }
  })
  return { providers, faults }
}

/** Reads a small text file that a setting names; undefined when that cannot be done. */
function readSettingFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function readSecret(given: { clientSecret: string | undefined; clientSecretFile: string | undefined }) {
  if (given.clientSecretFile === undefined) return given.clientSecret
  if (given.clientSecret !== undefined) return undefined
  // Editors end a file with a line break, which belongs to no secret.
  return readSettingFile(given.clientSecretFile)?.replace(/\r?\n$/, '') || undefined
}

function toFault({ path, message }: z.core.$ZodIssue): string {
  return `${path.length === 0 ? '' : `/${path.join('/')} `}${message}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The providers stand in a variable or in a file; the faults of either name the variable. */
export function readOidcProviders(given: NodeJS.ProcessEnv): { providers: OidcProvider[]; faults: string[] } {
  const { FAIRLEAD_OIDC_PROVIDERS: inline, FAIRLEAD_OIDC_PROVIDERS_FILE: file } = given
  if (inline !== undefined && file !== undefined) {
    return { providers: [], faults: ['FAIRLEAD_OIDC_PROVIDERS_FILE cannot be set with FAIRLEAD_OIDC_PROVIDERS'] }
  }
  const name = file === undefined ? 'FAIRLEAD_OIDC_PROVIDERS' : 'FAIRLEAD_OIDC_PROVIDERS_FILE'
  const text = file === undefined ? inline : readSettingFile(file)
  if (file !== undefined && text === undefined) return { providers: [], faults: [`${name} cannot be read`] }
  const { providers, faults } = text === undefined ? { providers: [], faults: [] } : parseOidcProviders(text)
  const named = faults.map((fault) => `${name} ${fault}`)
  if (given['FAIRLEAD_PASSWORD_SIGN_IN'] === 'server-admins' && providers.length === 0 && named.length === 0) {
    named.push('FAIRLEAD_PASSWORD_SIGN_IN cannot be server-admins without a provider in FAIRLEAD_OIDC_PROVIDERS')
  }
  return { providers, faults: named }
}
