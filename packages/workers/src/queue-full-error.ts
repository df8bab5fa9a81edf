/** The limit that an entry exceeds: the limit of its key (`key`), or the limit of all keys together (`total`). */
export type FullQueue = 'key' | 'total'

/** The queue is full. Nothing was started; the caller may try again later. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
  readonly full: FullQueue

  constructor(full: FullQueue) {
    super(full === 'key' ? 'Too many of your files are waiting.' : 'Too many files are waiting.')
    this.full = full
  }
}
