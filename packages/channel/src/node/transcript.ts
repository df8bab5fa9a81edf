/**
 * A transcript is a text file of JSON lines, one for each message in the order in which this side wrote or read it:
 *
 *     {"date":"2026-11-22T04:00:01.120Z","direction":"sent","kind":"request","id":1,"name":"count"}
 *     {"date":"2026-11-22T04:00:01.123Z","direction":"received","kind":"response","id":1,"name":"count","content":2}
 *
 * `kind` is request, response, error, post or cancel. `content` is the JSON of the frame. Content over 4,096 characters
 * is left out, and `length` gives its length. `attachments` is the number of long texts and binary values, which the
 * content refers to by index. If the file reaches its limit, its last line has the kind `cut`; if the connection is
 * lost, the last line has the kind `lost`, with `detail`.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Link, LinkEvents } from '../peer/link.ts'
import { FrameKind, type Frame } from '../wire/frame.ts'

const maxContent = 4096
const maxBytes = 64 * 1024 * 1024
/** Names of requests that wait for their answer; limited, because an app may never answer. */
const maxNames = 10_000

const kinds: Partial<Record<number, string>> = {
  [FrameKind.request]: 'request',
  [FrameKind.response]: 'response',
  [FrameKind.error]: 'error',
  [FrameKind.post]: 'post',
  [FrameKind.cancel]: 'cancel',
}

type Direction = 'sent' | 'received'
type Message = Pick<Frame, 'kind' | 'id' | 'name' | 'text' | 'attachments'>

/** Writes the messages of one connection. If writing fails, the transcript ends and the test continues. */
export class Transcript {
  #fd: number | undefined
  #size = 0
  readonly #names = { sent: new Map<number, string>(), received: new Map<number, string>() }

  /** @throws {Error} of Node if the file cannot be created */
  constructor(path: string) {
    this.#fd = openSync(path, 'w', 0o600)
  }

  /** Wraps a link for the peer, so that sent messages are written to the transcript. */
  watchSent(link: Link): Link {
    const canBlock = link.block !== undefined
    return {
      send: (kind, blocked, id, parent, name, text, attachments) => {
        link.send(kind, blocked, id, parent, name, text, attachments)
        this.#add('sent', { kind, id, name, text, attachments })
      },
      flush: () => link.flush(),
      flushSoon: () => link.flushSoon(),
      drained: () => link.drained(),
      ...(canBlock && { block: (pending) => link.block?.(pending) }),
      setRef: (isRef) => link.setRef(isRef),
      close: () => link.close(),
    }
  }

  /** Wraps the events for the link, so that received messages are written before they are handled. */
  watchReceived(events: LinkEvents): LinkEvents {
    return {
      receive: (frame) => {
        this.#add('received', frame)
        events.receive(frame)
      },
      lose: (code, detail) => events.lose(code, detail),
    }
  }

  /** Writes that the connection ended, and closes the file. */
  end(detail: string): void {
    this.#write({ kind: 'lost', detail })
    this.#close()
  }

  #add(direction: Direction, { kind, id, name, text, attachments }: Message): void {
    const word = kinds[kind]
    if (word === undefined || this.#fd === undefined) return
    this.#write({
      direction,
      kind: word,
      ...(id !== 0 && { id }),
      name: this.#nameOf(direction, { kind, id, name }),
      ...toContent(text),
      ...(attachments.length > 0 && { attachments: attachments.length }),
    })
  }

  /** Finds the name for an answer, which carries only the id of its request. */
  #nameOf(direction: Direction, { kind, id, name }: Pick<Message, 'kind' | 'id' | 'name'>): string {
    const isAnswer = kind === FrameKind.response || kind === FrameKind.error
    const names = this.#names[isAnswer === (direction === 'sent') ? 'received' : 'sent']
    if (kind === FrameKind.request && names.size < maxNames) names.set(id, name)
    if (!isAnswer) return kind === FrameKind.cancel ? (names.get(id) ?? name) : name
    const asked = names.get(id) ?? name
    names.delete(id)
    return asked
  }

  #write(line: object): void {
    if (this.#fd === undefined) return
    const date = new Date().toISOString()
    const bytes = toLine({ date, ...line })
    const isOver = this.#size + bytes.length > maxBytes
    try {
      this.#size += writeSync(this.#fd, isOver ? toLine({ date, kind: 'cut' }) : bytes)
    } catch (error) {
      process.emitWarning(`The transcript ends here: ${String(error)}`)
      this.#close()
    }
    if (isOver) this.#close()
  }

  #close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }
}

function toLine(line: object): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`)
}

function toContent(text: string): { content?: unknown; length?: number } {
  if (text === '') return {}
  if (text.length > maxContent) return { length: text.length }
  try {
    return { content: JSON.parse(text) }
  } catch {
    return { content: text }
  }
}
