/** The tables of people who sign in as Kysely types. */
import type { Generated } from 'kysely'

interface AccountsTable {
  id: Generated<number>
  email: string
  email_key: string
  name: string
  password_hash: string
  /** When the owner of the e-mail address followed the link of a mail; null until then. */
  verified_at: number | null
  /** 1 for accounts that see all accounts and workspaces of the server, otherwise 0. */
  is_server_admin: Generated<number>
  /** The base32 secret of the authenticator app; not in use before `totp_enabled_at` is set. */
  totp_secret: string | null
  totp_enabled_at: number | null
  /** The time step of the last code that was accepted, so that no code works twice. */
  totp_last_step: Generated<number>
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
}
