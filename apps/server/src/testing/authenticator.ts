import { Secret, TOTP } from 'otpauth'

/** Acts as an authenticator app: returns the code of the period that is `periods` away from a time, by default now. */
export function generateCode(secret: string, periods = 0, time = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time + periods * 30_000 })
}
