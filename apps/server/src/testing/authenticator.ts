import { Secret, TOTP } from 'otpauth'

/** Acts as an authenticator app: returns the code of the period that is `periods` away from now. */
export function generateCode(secret: string, periods = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periods * 30_000 })
}
