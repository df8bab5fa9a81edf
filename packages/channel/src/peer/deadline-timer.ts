import { clearTimer, now, setTimer } from '../host-clock.ts'

/** The longest delay that a timer takes; later deadlines are looked at again then. */
const longestDelay = 2 ** 31 - 1

/** One timer for many deadlines: it is moved forward when an earlier one comes, and never keeps a process alive. */
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
    const delay = Math.min(Math.max(Math.ceil(deadline - now()), 0), longestDelay)
    this.#timer = setTimer(() => {
      this.#due = Infinity
      this.#onDue()
    }, delay)
    // A page's timers are numbers.
    if (typeof this.#timer === 'object') this.#timer.unref()
  }

  clear(): void {
    clearTimer(this.#timer)
    this.#due = Infinity
  }
}
