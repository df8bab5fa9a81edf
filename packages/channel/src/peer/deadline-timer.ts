import { clearTimer, now, setTimer } from '../host-clock.ts'

/** The longest delay that a timer supports, in milliseconds; later deadlines are checked again then. */
const longestDelayMs = 2 ** 31 - 1

/**
 * One timer for many deadlines. It is rescheduled if an earlier deadline is added, and it never keeps a process alive.
 */
export class DeadlineTimer {
  readonly #onDue: () => void
  #timer: ReturnType<typeof setTimer> | undefined
  #due = Infinity

  constructor(onDue: () => void) {
    this.#onDue = onDue
  }

  schedule(deadline: number): void {
    if (deadline >= this.#due) return
    this.clear()
    this.#due = deadline
    const delay = Math.min(Math.max(Math.ceil(deadline - now()), 0), longestDelayMs)
    this.#timer = setTimer(() => {
      this.#due = Infinity
      this.#onDue()
    }, delay)
    // In a page, timers are numbers.
    if (typeof this.#timer === 'object') this.#timer.unref()
  }

  clear(): void {
    clearTimer(this.#timer)
    this.#due = Infinity
  }
}
