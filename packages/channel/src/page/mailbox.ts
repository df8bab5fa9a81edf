/**
 * The mailbox that a test installs in a page before any of its scripts run. It carries envelopes, which are JSON text:
 * `{epoch, frames: [[kind, blocked, id, parent, name, text, [attachment in base64, …]], …]}`. The epoch identifies the
 * document, so that frames for the previous document are not delivered to this one.
 */
import type { Frame } from '../wire/frame.ts'

/** Names of the mailbox in the page's global scope and of the function that the test exposes to the page. */
export const mailboxName = '__fairleadMailbox'
export const bindingName = '__fairleadReceive'

export interface Mailbox {
  readonly epoch: string
  /** Called by the test. Returns the envelope of the frames sent meanwhile, or an empty string. */
  deliver(epoch: string, frames: PackedFrame[]): string
  /** Called by the app side to send a frame. */
  send(frame: PackedFrame): void
  /** Set by the app side to receive frames. */
  onFrame: ((frame: PackedFrame) => void) | undefined
}

export type PackedFrame = [
  kind: number,
  blocked: 0 | 1,
  id: number,
  parent: number,
  name: string,
  text: string,
  attachments: string[],
]

export interface Envelope {
  epoch: string
  frames: PackedFrame[]
}

/** Runs in the page from its source text, so it must not refer to anything outside. */
export function installMailbox([mailboxName, bindingName]: [string, string]): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- runs in a page, and the DOM types are not loaded
  const scope = globalThis as unknown as Record<string, unknown> & { top?: unknown; window?: unknown }
  // Frames inside the page are not the app, and an installed mailbox must be kept.
  if (scope.window !== scope.top || mailboxName in scope) return
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the automation has installed this function
  const toTest = scope[bindingName] as (envelope: string) => unknown
  const { queueMicrotask: queue, JSON: json } = globalThis
  const { stringify } = json
  const epoch = `${performance.timeOrigin}-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`
  let sent: PackedFrame[] = []
  let isDelivering = false
  let isScheduled = false
  const take = () => {
    const envelope = sent.length === 0 ? '' : stringify({ epoch, frames: sent })
    sent = []
    return envelope
  }
  const flush = () => {
    isScheduled = false
    const envelope = take()
    if (envelope !== '') toTest(envelope)
  }
  const mailbox: Mailbox = {
    epoch,
    onFrame: undefined,
    deliver(meantFor, frames) {
      if (meantFor !== epoch) return ''
      isDelivering = true
      try {
        for (const frame of frames) mailbox.onFrame?.(frame)
      } finally {
        isDelivering = false
      }
      // An answer that already exists is returned by this call, which saves a second trip.
      return take()
    },
    send(frame) {
      sent.push(frame)
      if (isDelivering || isScheduled) return
      isScheduled = true
      queue(flush)
    },
  }
  Object.defineProperty(scope, mailboxName, { value: mailbox })
  toTest(stringify({ epoch, frames: [] }))
}

export function packFrame({ kind, blocked, id, parent, name, text, attachments }: Frame): PackedFrame {
  // Text attachments are sent only to a side that announced support for them, and neither side of a page does.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  const bytes = attachments as readonly Uint8Array[]
  return [kind, blocked ? 1 : 0, id, parent, name, text, bytes.map(toBase64)]
}

export function unpackFrame([kind, blocked, id, parent, name, text, attachments]: PackedFrame): Frame {
  return { kind, blocked: blocked === 1, id, parent, name, text, attachments: attachments.map(fromBase64) }
}

/** Not every engine accepts more arguments of `String.fromCharCode` than this. */
const stretch = 8192

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += stretch) text += String.fromCharCode(...bytes.subarray(at, at + stretch))
  return btoa(text)
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
