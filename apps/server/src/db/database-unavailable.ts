/**
 * The connection to the database failed, so nobody knows whether the statement took effect: a COMMIT without an answer
 * may or may not have taken effect. Every other error of a statement was reported by the database itself, which means
 * that the transaction was rolled back.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  readonly code = 'DATABASE_UNAVAILABLE'

  constructor(cause: unknown) {
    super('the database does not answer as it should', { cause })
  }
}
