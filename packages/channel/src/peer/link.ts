import type { Frame } from '../wire/frame.ts'
import type { Pending } from './pending.ts'

/** A transport that carries a peer's frames: a pair of descriptors, or a browser's automation pipe. */
export interface Link {
  /**
   * Queues one frame.
   *
   * @throws XPCError `encoding` (too long), `overflow` or `connectionLost`.
   */
  send(frame: Frame): void
  /** Writes the queued frames now. A lost connection is reported through `lose` and never thrown. */
  flush(): void
  /** Writes at the end of the running task, or at once if much is queued. */
  flushSoon(): void
  /** Resolves when the queue is empty. */
  drained(): Promise<void>
  /**
   * Reads and hands frames to the peer until the request is settled or its deadline has passed, without returning to
   * the event loop. Absent if the transport needs the event loop that it would block.
   */
  block?(pending: Pending): void
  /** Sets whether the connection keeps its process alive. */
  setRef(isRef: boolean): void
  close(): void
}

/** Events that a link reports to its peer. */
export interface LinkEvents {
  receive(frame: Frame): void
  lose(code: 'connectionLost' | 'protocol', detail: string): void
}
