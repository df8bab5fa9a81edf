import { toEmailKey } from '../db/email-key.ts'
import type { Row } from '../db/schema.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { toNetwork } from './network.ts'
import { Throttle } from './throttle.ts'

const windowMs = 15 * 60_000

/** What guards the passwords of one process. */
export interface Guard {
  passwords: Passwords
  /** Per address and e-mail address. */
  byPerson: Throttle
  /** Per address: somebody who tries one password on many accounts. */
  byAddress: Throttle
  /** Mails with reset links, per e-mail address that gets them. */
  resets: Throttle
}

export function createGuard(): Guard {
  return {
    passwords: createPasswords(),
    byPerson: new Throttle({ limit: 10, windowMs }),
    byAddress: new Throttle({ limit: 100, windowMs }),
    resets: new Throttle({ limit: 5, windowMs }),
  }
}

export interface PasswordAttempt {
  email: string
  password: string
  /** Undefined when nobody has this e-mail address: it takes as long as a wrong password. */
  account: Pick<Row<'accounts'>, 'password_hash'> | undefined
  /** From where. */
  address: string
}

/** Whether the password is right. @throws {ApiError} tooManyRequests */
export async function isRightPassword(
  { passwords, byPerson, byAddress }: Guard,
  { email, password, account, address }: PasswordAttempt,
): Promise<boolean> {
  const network = toNetwork(address)
  const person = `${network} ${toEmailKey(email)}`
  byPerson.check(person)
  byAddress.check(network)
  if (!(await passwords.verify(password, account?.password_hash))) return false
  byPerson.forget(person)
  // Forgetting all would let somebody with an account of their own go on for ever.
  byAddress.takeBack(network)
  return true
}
