/**
 * Hashes passwords with argon2id and stores them in the PHC string format:
 * `$argon2id$v=19$m={KiB},t={passes},p={lanes}${salt}${hash}`, with salt and hash in base64 without padding. A stored
 * hash carries its own cost parameters, so the cost below may change without invalidating old hashes.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '@fairlead/contract'
import pLimit from 'p-limit'

/**
 * One of the equivalent settings of OWASP's Password Storage Cheat Sheet: 46 MiB and one pass, which take about 50 ms.
 */
const cost = { memory: 47_104, passes: 1, parallelism: 1 }
const tagLength = 32
/**
 * Each hash takes the memory above and a thread of the libuv pool, which file reads use too, so concurrency is limited.
 */
const concurrency = 2
const queueLimit = 64

const derive = promisify(argon2)

export interface Passwords {
  /** @throws {ApiError} tooManyRequests when the queue is full */
  hash(password: string): Promise<string>
  /**
   * Returns whether the password matches the stored hash. Without a stored hash, or with an empty one, it returns false
   * after the same time.
   *
   * @throws {ApiError} tooManyRequests when the queue is full
   */
  verify(password: string, stored: string | undefined): Promise<boolean>
}

export function createPasswords(): Passwords {
  const limit = pLimit(concurrency)
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount < queueLimit) return limit(work)
    throw new ApiError('tooManyRequests', { headers: { 'retry-after': '5' } })
  }
  // A decoy hash that matches no password: verifying against it takes as long as verifying against a real one.
  const decoy = toText(cost, randomBytes(16), randomBytes(tagLength))
  return {
    hash: async (password) => inTurn(() => hashPassword(password)),
    async verify(password, stored) {
      const isRight = await inTurn(() => isPassword(password, stored || decoy))
      return isRight && stored !== undefined && stored !== ''
    },
  }
}

async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  return toText(cost, nonce, await derive('argon2id', { message: normalize(password), nonce, tagLength, ...cost }))
}

async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(stored) ?? []
  const wanted = Buffer.from(tag, 'base64')
  const given = await derive('argon2id', {
    message: normalize(password),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  })
  return timingSafeEqual(given, wanted)
}

/** Normalizes to Unicode NFKC, because keyboards differ in whether they send composed or decomposed characters. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

function toText({ memory, passes, parallelism }: typeof cost, salt: Buffer, tag: Buffer): string {
  const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`
}
