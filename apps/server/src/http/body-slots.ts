/**
 * The memory for bodies that are read as a whole. A large body needs a slot before it is read on. A slot goes to the
 * owners of requests in turn, such as applications, and among the requests of an owner to the networks in turn.
 */
import { ApiError } from '@fairlead/contract'
import { QueueFullError, TurnQueue } from '@fairlead/workers'

export interface BodySender {
  /** Whose turns the request takes, such as the application of its key. */
  owner: string
  /** The network of the client's address. */
  network: string
}

export interface BodySlots {
  /**
   * Waits for a slot. The slot goes back when the result is disposed; an aborted signal leaves the queue.
   *
   * @throws {ApiError} overloaded, and the reason of the signal
   */
  take(sender: BodySender, signal: AbortSignal): Promise<Disposable>
  /** Counts bytes of a body that has no slot. Returns false, and counts nothing, where it must wait for a slot. */
  addSmall(owner: string, bytes: number): boolean
  /** Takes back what `addSmall` has counted. */
  removeSmall(owner: string, bytes: number): void
  /** How many requests wait for a slot, and how many slots are free. */
  readonly waiting: number
  readonly idle: number
  /** The bytes of all bodies without a slot. */
  readonly smallBytes: number
}

/** Slots of one owner at a time; one of its networks has one of them, so that others of its clients get the other. */
const slotsPerOwner = 2
const waitingPerOwner = 32
const waitingPerNetwork = 8
const waitingOwners = 256
/** The most bytes of bodies without a slot, in all and of one owner. */
const maxSmallBytes = 64 * 2 ** 20
const maxSmallBytesOfOwner = 16 * 2 ** 20

type OwnerQueue = TurnQueue<number>

export function createBodySlots(count: number): BodySlots {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const slots = new TurnQueue(numbers, { maxQueued: waitingOwners, maxQueuedPerKey: slotsPerOwner })
  const owners = new Map<string, OwnerQueue>()
  const small = new Map<string, number>()
  let smallBytes = 0

  /** An owner may wait for slots with as many requests as it may have slots; its other requests wait here. */
  const takeTurn = async ({ owner, network }: BodySender, signal: AbortSignal): Promise<Disposable> => {
    const turns = numbers.slice(0, Math.max(1, Math.min(slotsPerOwner, count - 1)))
    const limits = { maxQueued: waitingPerOwner, maxQueuedPerKey: waitingPerNetwork, maxRunningPerKey: 1 }
    const queue = owners.get(owner) ?? new TurnQueue(turns, limits)
    owners.set(owner, queue)
    const forgetWhenIdle = () => {
      if (queue.idle === turns.length && queue.waiting === 0 && owners.get(owner) === queue) owners.delete(owner)
    }
    const turn = await queue.take({ key: network, signal }).catch((error: unknown) => {
      forgetWhenIdle()
      throw error
    })
    return {
      [Symbol.dispose]() {
        turn[Symbol.dispose]()
        forgetWhenIdle()
      },
    }
  }

  return {
    async take(sender, signal) {
      const turn = await takeTurn(sender, signal).catch(askToRetry)
      let place: Disposable
      try {
        place = await slots.take({ key: sender.owner, signal })
      } catch (error) {
        turn[Symbol.dispose]()
        return askToRetry(error)
      }
      return {
        [Symbol.dispose]() {
          place[Symbol.dispose]()
          turn[Symbol.dispose]()
        },
      }
    },
    addSmall(owner, bytes) {
      const own = (small.get(owner) ?? 0) + bytes
      if (own > maxSmallBytesOfOwner || smallBytes + bytes > maxSmallBytes) return false
      small.set(owner, own)
      smallBytes += bytes
      return true
    },
    removeSmall(owner, bytes) {
      const left = (small.get(owner) ?? 0) - bytes
      if (left > 0) small.set(owner, left)
      else small.delete(owner)
      smallBytes -= bytes
    },
    get waiting() {
      return slots.waiting + owners.values().reduce((sum, queue) => sum + queue.waiting, 0)
    },
    get idle() {
      return slots.idle
    },
    get smallBytes() {
      return smallBytes
    },
  }
}

/** Senders of crashes drop what is answered with 429 and send again after 503. */
function askToRetry(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error
  throw new ApiError('overloaded', { detail: error.message, headers: { 'retry-after': '5' }, cause: error })
}
