/** The tables of people who sign in as Kysely types. */
import type { Role } from '@fairlead/contract'
import type { Generated } from 'kysely'
import type { SecretText } from '../secret-text.ts'
import type { JsonText } from '../json-text.ts'

interface AccountsTable {
  id: Generated<number>
  email: string
  email_key: string
  name: string
  /** Empty for an account without a password. */
  password_hash: string
  /** When the owner of the e-mail address followed the link of a mail; null until then. */
  verified_at: number | null
  /** 1 for accounts that see all accounts and workspaces of the server, otherwise 0. */
  is_server_admin: Generated<number>
  /** The base32 secret of the authenticator app; not in use before `totp_enabled_at` is set. */
  totp_secret: SecretText | null
  totp_enabled_at: number | null
  /** The time step of the last code that was accepted, so that no code works twice. */
  totp_last_step: Generated<number>
  /** When an administrator of the server disabled the account; null otherwise. */
  disabled_at: number | null
  created_at: number
}

/** Unused recovery codes of two-factor sign-in, by their digests. */
interface RecoveryCodesTable {
  account_id: number
  code_hash: string
}

interface SessionsTable {
  id: Generated<number>
  account_id: number
  token_hash: string
  /** The IP address and the User-Agent of the sign-in. */
  address: string | null
  user_agent: string | null
  /** The key of the provider that the person signed in through; null for a password. */
  provider: string | null
  identity_id: number | null
  /** The session at the provider (`sid`), which it names when it ends it; null when it named none. */
  provider_session: string | null
  /** Where the browser goes after signing out. */
  logout_url: string | null
  created_at: number
  last_used_at: number
  expires_at: number
}

interface PasswordResetsTable {
  id: Generated<number>
  account_id: number
  token_hash: string
  expires_at: number
}

/** A person at an OpenID provider, who may sign in to the account. */
interface IdentitiesTable {
  id: Generated<number>
  account_id: number
  /** The key of the provider in the settings. */
  provider: string
  issuer: string
  /** The claim `sub`, which the issuer gives to one person only. */
  subject: string
  /** The address that the provider told last. */
  email: string | null
  created_at: number
  last_used_at: number
}

/** What a sign-in found out that waits until the person has proved to own an account. */
export interface LinkContent {
  provider: string
  issuer: string
  subject: string
  email: string
  emailIsVerified: boolean
  groups: string[] | null
  providerSession: string | null
  logoutUrl: string | null
  returnTo: string
}

interface PendingLinksTable {
  token_hash: string
  account_id: number
  content: JsonText<LinkContent>
  expires_at: number
}

/** Tokens that work once, by their digests: states of sign-ins, and logout tokens of providers. */
interface UsedTokensTable {
  token_hash: string
  expires_at: number
}

/** A login of the command line that waits for a person, or for the command line to fetch its token. */
interface LoginRequestsTable {
  id: Generated<number>
  device_code_hash: string
  /** A digest by the server's key, because the code is short. */
  user_code_hash: string
  /** The name of the computer that asked, by its own account. */
  name: string
  address: string | null
  user_agent: string | null
  state: 'waiting' | 'approved' | 'refused'
  interval_ms: number
  /** Before this time, the command line is told to slow down. */
  next_poll_at: number
  created_at: number
  expires_at: number
  /** Who approved, and for what; null until then. */
  account_id: number | null
  workspace_id: number | null
  role: Role | null
  token_expires_at: number | null
}

/** The role that groups of a provider gave to an account at its last sign-in. */
interface MemberGroupRolesTable {
  workspace_id: number
  account_id: number
  provider: string
  role: Role
}

/** The counts of rate limiters. */
interface AttemptsTable {
  key_hash: string
  attempts: number
  ends_at: number
}

export interface AccountsSchema {
  accounts: AccountsTable
  recovery_codes: RecoveryCodesTable
  sessions: SessionsTable
  password_resets: PasswordResetsTable
  attempts: AttemptsTable
  identities: IdentitiesTable
  pending_links: PendingLinksTable
  login_requests: LoginRequestsTable
  used_tokens: UsedTokensTable
  member_group_roles: MemberGroupRolesTable
}
