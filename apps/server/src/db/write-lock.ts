/** A single statement is short. A transaction may be cut into many turns of the event loop. */
export type WriteLength = 'statement' | 'transaction'

/** So many statements come before a transaction that waits, so that many of them do not keep it from its turn. */
const statementsInARow = 8

/**
 * Gives the writing connection to one caller at a time. Statements that wait come before transactions that wait:
 * almost every write of the API ends in one, the event in the audit log, and behind each of the transactions that came
 * between, its answer would wait once more for as long as for its own transaction.
 */
export class WriteLock {
  readonly #waiting: Record<WriteLength, (() => void)[]> = { statement: [], transaction: [] }
  #isTaken = false
  #inARow = 0

  /** Whether somebody waits until the holder releases it. */
  get isWanted(): boolean {
    return this.#waiting.statement.length > 0 || this.#waiting.transaction.length > 0
  }

  async take(length: WriteLength): Promise<void> {
    // `release` hands the lock to a waiter directly, so later callers cannot overtake it.
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting[length].push(resolve))
    this.#isTaken = true
  }

  release(): void {
    const { statement, transaction } = this.#waiting
    const isTurnOfTransaction = transaction.length > 0 && (statement.length === 0 || this.#inARow >= statementsInARow)
    const next = isTurnOfTransaction ? transaction.shift() : statement.shift()
    this.#inARow = isTurnOfTransaction ? 0 : this.#inARow + 1
    if (next) next()
    else this.#isTaken = false
  }
}
