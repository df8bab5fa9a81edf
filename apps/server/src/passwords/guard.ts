import { toEmailKey } from '../db/email-key.ts'
import type { Row } from '../db/schema.ts'
import { type AttemptStore, createMemoryAttempts } from './attempt-store.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { toNetwork } from './network.ts'
import { Throttle } from './throttle.ts'

const windowMs = 15 * 60_000

/** Rate limits and the password hasher of one process, shared by every endpoint that checks a password. */
export interface Guard {
  passwords: Passwords
  /** Limits attempts per client network and e-mail address. */
  byPerson: Throttle
  /** Limits attempts per client network, against password spraying over many accounts. */
  byAddress: Throttle
  /** Limits password-reset mails per recipient address. */
  resets: Throttle
}

export function createGuard(store: AttemptStore = createMemoryAttempts()): Guard {
  const limitTo = (name: string, limit: number) => new Throttle(store, name, { limit, windowMs })
  return {
    passwords: createPasswords(),
    byPerson: limitTo('person', 10),
    byAddress: limitTo('address', 100),
    resets: limitTo('reset', 5),
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
}

/**
 * Checks a password under the rate limits.
 *
 * @throws {ApiError} tooManyRequests
 */
export async function isRightPassword(
  { passwords, byPerson, byAddress }: Guard,
  { email, password, account, address }: PasswordAttempt,
): Promise<boolean> {
  const network = toNetwork(address)
  const person = `${network} ${toEmailKey(email)}`
  await byPerson.check(person)
  await byAddress.check(network)
  if (!(await passwords.verify(password, account?.password_hash))) return false
  await byPerson.forget(person)
  // Only this attempt is returned: resetting the whole counter would let an attacker who owns an account alternate
  // their own logins with guesses for ever.
  await byAddress.takeBack(network)
  return true
}
