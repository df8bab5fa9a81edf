/**
 * Passwords as argon2id in the PHC string format: `$argon2id$v=19$m={KiB},t={passes},p={lanes}${salt}${hash}`,
 * salt and hash in base64 without padding. A stored hash says itself how it was made, so the cost may change.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '@fairlead/contract'
import pLimit from 'p-limit'

/** The second of the settings that OWASP's Password Storage Cheat Sheet calls equal: 46 MiB, one pass, about 50 ms. */
const cost = { memory: 47_104, passes: 1, parallelism: 1 }
const tagLength = 32
/** Each takes its memory and a thread of the pool that files are read with, so only this many run at a time. */
const concurrency = 2
const queueLimit = 64

const derive = promisify(argon2)

export interface Passwords {
  /** @throws {ApiError} tooManyRequests when too many wait in line */
  hash(password: string): Promise<string>
  /**
   * Whether the password is the one of the hash. Without a hash it is not, after the same time.
   *
   * @throws {ApiError} tooManyRequests when too many wait in line
   */
  verify(password: string, stored: string | undefined): Promise<boolean>
}

export function createPasswords(): Passwords {
  const limit = pLimit(concurrency)
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount < queueLimit) return limit(work)
    throw new ApiError('tooManyRequests', { headers: { 'retry-after': '5' } })
  }
  // Nobody's: verifying against it takes as long as against a real one.
  const decoy = toText(cost, randomBytes(16), randomBytes(tagLength))
  return {
    hash: async (password) => inTurn(() => hashPassword(password)),
    async verify(password, stored) {
      const isRight = await inTurn(() => isPassword(password, stored ?? decoy))
      return isRight && stored !== undefined
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

/** The same characters typed on another keyboard may arrive composed in another way. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

function toText({ memory, passes, parallelism }: typeof cost, salt: Buffer, tag: Buffer): string {
  const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`
}
