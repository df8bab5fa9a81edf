import type { XPCError } from '../xpc-error.ts'
import type { Frame } from '../wire/frame.ts'

/** A sent request until its answer, its error or its deadline arrives. */
export class Pending {
  readonly id: number
  readonly name: string
  readonly timeoutMs: number
  /** Time of sending and deadline, in milliseconds of the host's clock. */
  readonly asked: number
  readonly deadline: number
  settled = false
  response: Frame | undefined
  error: XPCError | undefined
  /** Called once when the request is settled, unless a blocking send waits for it. */
  onSettled: ((pending: Pending) => void) | undefined

  constructor(id: number, name: string, timeoutMs: number, asked: number) {
    this.id = id
    this.name = name
    this.timeoutMs = timeoutMs
    this.asked = asked
    this.deadline = asked + timeoutMs
  }

  settle(response: Frame | undefined, error: XPCError | undefined): void {
    if (this.settled) return
    this.settled = true
    this.response = response
    this.error = error
    this.onSettled?.(this)
  }
}
