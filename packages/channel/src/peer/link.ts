import type { Attachment, Frame } from '../wire/frame.ts'
import type { Pending } from './pending.ts'

/** What a peer needs of the thing that carries its frames: a pair of descriptors, or a browser's automation pipe. */
export interface Link {
  /** Queues one frame. Throws XPCError `encoding` (too long), `overflow`, `connectionLost`. */
  send(
    kind: number,
    blocked: boolean,
    id: number,
    parent: number,
    name: string,
    text: string,
    attachments: readonly Attachment[],
  ): void
  /** Hands over now what is queued; losing the connection is told through `lose`, never thrown. */
  flush(): void
  /** Hands over at the end of the running task, or at once when much is queued. */
  flushSoon(): void
  /** Resolves when nothing is queued any more. */
  drained(): Promise<void>
  /**
   * Reads, and gives frames to the peer, until the request is settled or the deadline has passed, without
   * returning to the event loop. Absent where the transport shares the loop that it would block.
   */
  block?(pending: Pending): void
  /** Whether the connection keeps its process alive. */
  setRef(isRef: boolean): void
  close(): void
}

/** What a link tells its peer. */
export interface LinkEvents {
  receive(frame: Frame): void
  lose(code: 'connectionLost' | 'protocol', detail: string): void
}
