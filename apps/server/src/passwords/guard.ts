import { toEmailKey } from '../db/email-key.ts'
import type { Row } from '../db/schema.ts'
import { type AttemptStore, createMemoryAttempts } from './attempt-store.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { toNetwork } from './network.ts'
import { refuse, Throttle } from './throttle.ts'

const windowMs = 15 * 60_000
const hourMs = 60 * 60_000

/** Rate limits and the password hasher of one process, shared by every endpoint that checks a password. */
export interface Guard {
  passwords: Passwords
  /** Limits attempts per client network and e-mail address. */
  byPerson: Throttle
  /** Limits attempts per client network, against password spraying over many accounts. */
  byAddress: Throttle
  /** Limits failed attempts per account over all networks, against guessing from many addresses. */
  byAccount: Throttle
  /** Limits codes of two-factor sign-in per account. */
  byCode: Throttle
  /** Limits passwords of install links per link and client network. */
  byLink: Throttle
  /** Limits password-reset mails per recipient address. */
  resets: Throttle
  /** Limits requests for password resets per client network, apart from sign-ins. */
  resetsByAddress: Throttle
  /** Limits feedback per link, and per link and client network; attempts count whether or not they are refused. */
  feedback: { byLink: Throttle; byAddress: Throttle; attempts: Throttle }
  /** Limits how often logins of the command line begin per client network. */
  loginsByAddress: Throttle
  /** Limits codes of logins that an account types and that do not exist. */
  loginCodes: Throttle
  /** Limits logout tokens that are refused per client network. */
  logoutsByAddress: Throttle
}

export function createGuard(store: AttemptStore = createMemoryAttempts()): Guard {
  const limitTo = (name: string, limit: number, ms = windowMs) => new Throttle(store, name, { limit, windowMs: ms })
  return {
    passwords: createPasswords(),
    byPerson: limitTo('person', 10),
    byAddress: limitTo('address', 100),
    byAccount: limitTo('account', 50),
    byCode: limitTo('code', 10),
    byLink: limitTo('link', 20),
    resets: limitTo('reset', 5),
    resetsByAddress: limitTo('reset-address', 100),
    feedback: {
      byLink: limitTo('feedback', 100, hourMs),
      byAddress: limitTo('feedback-address', 10, hourMs),
      attempts: limitTo('feedback-attempts', 300, hourMs),
    },
    loginsByAddress: limitTo('login-address', 30),
    loginCodes: limitTo('login-code', 10),
    logoutsByAddress: limitTo('logout-address', 100),
  }
}

export interface PasswordAttempt {
  email: string
  password: string
  /**
   * Undefined when no account has this e-mail address. The check then takes as long as for a wrong password, so that
   * timing does not reveal which accounts exist.
   */
  account: Pick<Row<'accounts'>, 'password_hash'> | undefined
  /** The client's IP address. */
  address: string
  /**
   * Tells whether the account has a session that began in this client's network. Such a client is not held up by
   * failures elsewhere, so that nobody can lock the owner of an account out.
   */
  isKnownNetwork?: () => Promise<boolean>
}

/**
 * Checks a password under the rate limits.
 *
 * @throws {ApiError} tooManyRequests
 */
export async function isRightPassword(
  { passwords, byPerson, byAddress, byAccount }: Guard,
  { email, password, account, address, isKnownNetwork = async () => false }: PasswordAttempt,
): Promise<boolean> {
  const network = toNetwork(address)
  const key = toEmailKey(email)
  const person = `${network} ${key}`
  await byPerson.check(person)
  await byAddress.check(network)
  // The limit also counts for addresses without an account, so that it does not reveal which accounts exist.
  const wait = await byAccount.count(key)
  if (wait !== undefined && !(await isKnownNetwork())) refuse(wait)
  if (!(await passwords.verify(password, account?.password_hash))) return false
  await byPerson.forget(person)
  // Only this attempt is returned: resetting the whole counter would let an attacker who owns an account alternate
  // their own logins with guesses for ever.
  await byAddress.takeBack(network)
  await byAccount.takeBack(key)
  return true
}
