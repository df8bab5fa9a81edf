import type { Link } from '../peer/link.ts'
import type { Greeting } from '../peer/greeting.ts'
import type { Peer } from '../peer/peer.ts'
import { type Frame, FrameKind } from '../wire/frame.ts'
import { maxQueued } from '../wire/packet.ts'
import { XPCError } from '../xpc-error.ts'
import { queueTask } from '../host-clock.ts'
import type { Automation } from './automation.ts'
import { packFrame, unpackFrame, type Envelope, type PackedFrame } from './mailbox.ts'

/**
 * The test's end of the channel to a page. The page may navigate: each document is a conversation of its own, and
 * frames sent between two documents wait for the next one's HELLO.
 */
export class PageLink implements Link {
  readonly #peer: Peer
  readonly #greeting: Greeting
  #automation: Automation | undefined
  #epoch = ''
  /** True after the HELLO of the document's app side. */
  #isConnected = false
  #isClosed = false
  #isFlushScheduled = false
  #frames: PackedFrame[] = []
  #size = 0
  #delivering = 0
  #drainWaiters: (() => void)[] = []

  constructor(peer: Peer, greeting: Greeting) {
    this.#peer = peer
    this.#greeting = greeting
  }

  start(automation: Automation): void {
    this.#automation = automation
  }

  send(frame: Frame): void {
    const { name, text, attachments } = frame
    if (this.#isClosed) throw new XPCError('connectionLost', { messageName: name, detail: 'the connection was closed' })
    let size = text.length + name.length
    for (const attachment of attachments) size += attachment.length
    if (this.#size > 0 && this.#size + size > maxQueued) {
      throw new XPCError('overflow', { messageName: name, detail: `${this.#size} bytes wait to be read by the page` })
    }
    this.#frames.push(packFrame(frame))
    this.#size += size
  }

  flush(): void {
    if (!this.#isConnected || this.#frames.length === 0 || !this.#automation) return
    const frames = JSON.stringify(this.#frames)
    this.#frames = []
    this.#size = 0
    this.#delivering++
    this.#automation.deliver(this.#epoch, frames).then(
      (envelope) => this.#delivered(envelope),
      // The document is gone. Pending requests end with the next document or the end of the page.
      () => this.#delivered(''),
    )
  }

  flushSoon(): void {
    if (this.#isFlushScheduled) return
    this.#isFlushScheduled = true
    queueTask(() => {
      this.#isFlushScheduled = false
      this.flush()
    })
  }

  async drained(): Promise<void> {
    this.flush()
    if (this.#delivering === 0 || this.#isClosed) return
    await new Promise<void>((resolve) => this.#drainWaiters.push(resolve))
  }

  setRef(): void {}

  close(): void {
    this.#isClosed = true
    this.#frames = []
    this.#tellDrained()
  }

  /** Called with an envelope from the page. */
  receive(text: string): void {
    if (this.#isClosed) return
    try {
      // The mailbox made the text, and the peer checks each frame. What has another form ends in the `catch`.
      const envelope: Envelope = JSON.parse(text)
      this.#take(envelope)
    } catch {
      this.#peer.lose('protocol', 'the page sent a malformed envelope')
    }
  }

  #take({ epoch, frames }: Envelope): void {
    if (epoch !== this.#epoch) {
      // This is the first message of a new document; the old one sends nothing any more.
      if (frames.length > 0) return
      this.#begin(epoch)
    }
    for (const packed of frames) {
      const frame = unpackFrame(packed)
      if (frame.kind === FrameKind.hello && !this.#isConnected) this.#connect()
      this.#peer.receive(frame)
    }
  }

  #begin(epoch: string): void {
    const waiting = new Set(this.#frames.map(([, , id]) => id))
    if (this.#epoch !== '') this.#peer.abandon('the page has gone to another document', waiting)
    this.#epoch = epoch
    this.#isConnected = false
  }

  /** Sends this side's HELLO first, then the frames that waited for it. */
  #connect(): void {
    const waiting = this.#frames
    this.#frames = []
    this.#isConnected = true
    this.#peer.open(this, this.#greeting)
    this.#frames.push(...waiting)
    this.flush()
  }

  #delivered(envelope: string): void {
    this.#delivering--
    if (envelope !== '') this.receive(envelope)
    if (this.#delivering === 0 && this.#frames.length === 0) this.#tellDrained()
  }

  #tellDrained(): void {
    for (const resolve of this.#drainWaiters.splice(0)) resolve()
  }
}
