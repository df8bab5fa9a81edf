/**
 * The part of the App Store Connect API that registers devices. Requests carry a JSON Web Token, signed with the key of
 * the workspace by ES256, that Apple accepts for twenty minutes at most.
 */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { z } from 'zod'

export interface AppleKey {
  issuerId: string
  keyId: string
  /** PKCS #8 in PEM. */
  privateKey: string
}

/** A device as Apple has it. */
export interface AppleDevice {
  udid: string
  /** `ENABLED`, `DISABLED`, `PROCESSING` or `INELIGIBLE`, as Apple has it today. */
  status: string
}

/** What Apple answered when it is no success; `status` 0 stands for no answer. */
export class AppleError extends Error {
  override readonly name = 'AppleError'
  readonly status: number

  constructor(status: number, message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.status = status
  }

  /** Whether the same request may be answered otherwise later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

export interface AppleApi {
  /** Rejects when Apple does not accept the key. */
  check(): Promise<void>
  /** Returns the device, or undefined when Apple has one with this UDID already. */
  register(device: { udid: string; name: string }): Promise<AppleDevice | undefined>
  /** Finds a device by its UDID, without regard to case. */
  find(udid: string): Promise<AppleDevice | undefined>
}

const tokenSeconds = 10 * 60
const timeoutMs = 20_000
const maxAnswerBytes = 2 ** 20

const DeviceData = z.object({
  attributes: z.object({
    udid: z.string(),
    status: z.string().max(50),
  }),
})
const One = z.object({ data: DeviceData })
const Many = z.object({ data: z.array(DeviceData) })
const Errors = z.object({
  errors: z.array(z.object({ title: z.string().optional(), detail: z.string().optional() })).min(1),
})

/** @throws {TypeError} when the key is none of ES256 */
export function readAppleKey(privateKey: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(privateKey)
  } catch (cause) {
    throw new TypeError('is no private key in PEM', { cause })
  }
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new TypeError('is no key of App Store Connect (P-256)')
  return key
}

/** @param baseUrl the address of the API, without a slash at its end */
export function openAppleApi(baseUrl: string, key: AppleKey, signal?: AbortSignal): AppleApi {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]
    let status = 0
    let text: string
    try {
      const answer = await fetch(baseUrl + path, {
        method,
        redirect: 'error',
        signal: AbortSignal.any(signals),
        headers: {
          authorization: `Bearer ${createToken(key)}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      status = answer.status
      text = await readText(answer)
    } catch (cause) {
      throw new AppleError(0, 'App Store Connect does not answer', { cause })
    }
    if (status < 200 || status > 299) throw new AppleError(status, describeErrors(status, text))
    return parseJson(text)
  }

  return {
    async check() {
      await call('GET', '/v1/devices?limit=1')
    },
    async register({ udid, name }) {
      const body = { data: { type: 'devices', attributes: { name, platform: 'IOS', udid } } }
      try {
        return One.parse(await call('POST', '/v1/devices', body)).data.attributes
      } catch (error) {
        if (error instanceof AppleError && error.status === 409) return undefined
        throw error
      }
    },
    async find(udid) {
      // Apple compares with case in this filter, and keeps a UDID as it was given.
      const spellings = [...new Set([udid, udid.toUpperCase(), udid.toLowerCase()])]
      const path = `/v1/devices?limit=10&filter%5Budid%5D=${encodeURIComponent(spellings.join(','))}`
      const { data } = Many.parse(await call('GET', path))
      return data.map(({ attributes }) => attributes).find((device) => device.udid.toLowerCase() === udid.toLowerCase())
    },
  }
}

function createToken({ issuerId, keyId, privateKey }: AppleKey): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const issuedAt = Math.floor(Date.now() / 1000)
  const head = encode({ alg: 'ES256', kid: keyId, typ: 'JWT' })
  const claims = encode({ iss: issuerId, iat: issuedAt, exp: issuedAt + tokenSeconds, aud: 'appstoreconnect-v1' })
  const content = `${head}.${claims}`
  // A JSON Web Token holds both numbers of the signature one after the other, and not in DER.
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${content}.${signature.toString('base64url')}`
}

async function readText(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of answer.body ?? []) {
    size += piece.length
    if (size > maxAnswerBytes) throw new Error('the answer is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppleError(502, 'App Store Connect answered with no JSON', { cause })
  }
}

/** The detail of the first error, which is shown to administrators. */
function describeErrors(status: number, text: string): string {
  const parsed = Errors.safeParse(safely(text))
  const first = parsed.data?.errors[0]
  return (first?.detail ?? first?.title ?? `App Store Connect answered with ${status}`).slice(0, 300)
}

function safely(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
