/**
 * What a test puts into a page before any of its scripts run. It carries envelopes, JSON text:
 * `{epoch, frames: [[kind, blocked, id, parent, name, text, [attachment in base64, …]], …]}`.
 * The epoch is the document's own: what was meant for the document before it is not taken for this one's.
 */
import type { Attachment, Frame } from '../wire/frame.ts'

/** The name of the mailbox in a page's global scope, and of the function that the test exposes to it. */
export const mailboxName = '__fairleadMailbox'
export const bindingName = '__fairleadReceive'

export interface Mailbox {
  readonly epoch: string
  /** Called by the test; returns the envelope of what was sent meanwhile, or nothing. */
  deliver(epoch: string, frames: PackedFrame[]): string
  /** Called by the app side. */
  send(frame: PackedFrame): void
  /** Set by the app side. */
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

/** Runs in the page, alone: it may refer to nothing outside itself. */
export function installMailbox([mailboxName, bindingName]: [string, string]): void {
  const scope = globalThis as unknown as Record<string, unknown> & { top?: unknown; window?: unknown }
  // Frames inside the page are not the app; a mailbox that is already there has its app.
  if (scope.window !== scope.top || mailboxName in scope) return
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
      // An answer that is there already goes back with the return of this call: no second trip.
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

export function packFrame(
  kind: number,
  blocked: boolean,
  id: number,
  parent: number,
  name: string,
  text: string,
  attachments: readonly Attachment[],
): PackedFrame {
  // Texts go only to a side that has said it takes them, and here none does.
  const bytes = attachments as readonly Uint8Array[]
  return [kind, blocked ? 1 : 0, id, parent, name, text, bytes.map(toBase64)]
}

export function unpackFrame([kind, blocked, id, parent, name, text, attachments]: PackedFrame): Frame {
  return { kind, blocked: blocked === 1, id, parent, name, text, attachments: attachments.map(fromBase64) }
}

/** `String.fromCharCode` takes no more arguments than this at once everywhere. */
const stretch = 8192

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += stretch) text += String.fromCharCode(...bytes.subarray(at, at + stretch))
  return btoa(text)
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
