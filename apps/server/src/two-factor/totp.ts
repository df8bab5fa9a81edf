import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30
/** A phone's clock may differ by this many periods. */
const window = 1

/** Returns a new secret of 160 bits in base32. */
export function createTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

function openTotp(secret: string, email: string): TOTP {
  return new TOTP({
    issuer: 'Fairlead',
    label: email,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  })
}

/** Returns the `otpauth:` URI that authenticator apps read from a QR code. */
export function toTotpUri(secret: string, email: string): string {
  return openTotp(secret, email).toString()
}

/** Returns the time step that a code belongs to, or undefined when it is wrong. */
export function findTotpStep(secret: string, code: string, now = Date.now()): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = openTotp(secret, 'account').validate({ token, timestamp: now, window })
  return delta === null ? undefined : Math.floor(now / 1000 / periodSeconds) + delta
}
