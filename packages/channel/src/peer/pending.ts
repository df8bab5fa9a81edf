import type { XPCError } from '../xpc-error.ts'
import type { Frame } from '../wire/frame.ts'

/** A request that was sent, until its answer, its error or its deadline comes. */
export class Pending {
  readonly id: number
  readonly name: string
  readonly timeout: number
  /** When it was sent, and until when it waits, by the host's clock in milliseconds. */
  readonly asked: number
  readonly deadline: number
  settled = false
  response: Frame | undefined
  error: XPCError | undefined
  /** Called once for a request that nobody blocks on. */
  onSettled: ((pending: Pending) => void) | undefined

  constructor(id: number, name: string, timeout: number, asked: number) {
    this.id = id
    this.name = name
    this.timeout = timeout
    this.asked = asked
    this.deadline = asked + timeout
  }

  settle(response: Frame | undefined, error: XPCError | undefined): void {
    if (this.settled) return
    this.settled = true
    this.response = response
    this.error = error
    this.onSettled?.(this)
  }
}
