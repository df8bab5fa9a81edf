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
 *
 * Of a message whose name either side has called secret, by a post `$secret` with a list of names, the line has
 * `secret` instead of the content. Lines are held back until the app is ready, because it says so before.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Link, LinkEvents } from '../peer/link.ts'
import { FrameKind, type Frame } from '../wire/frame.ts'

const maxContent = 4096
const maxBytes = 64 * 1024 * 1024
/** Lines that are held back until the app is ready; later ones are written without their contents. */
const maxHeld = 1000
const secretName = '$secret'
/** Names of requests that wait for their answer; limited, because an app may never answer. */
const maxNames = 10_000

const kinds: Partial<Record<number, string>> = {
  [FrameKind.request]: 'request',
  [FrameKind.response]: 'response',
  [FrameKind.error]: 'error',
  [FrameKind.post]: 'post',
  [FrameKind.cancel]: 'cancel',
}

interface MessageLine {
  readonly name: string
}

type Direction = 'sent' | 'received'
type Message = Pick<Frame, 'kind' | 'id' | 'name' | 'text' | 'attachments'>

/** Writes the messages of one connection. If writing fails, the transcript ends and the test continues. */
export class Transcript {
  #fd: number | undefined
  #size = 0
  readonly #secrets = new Set<string>()
  #isAllSecret = false
  /** Undefined once the app is ready. */
  #held: { line: MessageLine; content: object }[] | undefined = []
  readonly #names = { sent: new Map<number, string>(), received: new Map<number, string>() }

  /** @throws {Error} of Node if the file cannot be created */
  constructor(path: string) {
    this.#fd = openSync(path, 'w', 0o600)
  }

  /** Wraps a link for the peer, so that sent messages are written to the transcript. */
  watchSent(link: Link): Link {
    const canBlock = link.block !== undefined
    return {
      send: (frame) => {
        link.send(frame)
        this.#add('sent', frame)
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
        if (frame.kind === FrameKind.ready) this.#releaseHeld()
        events.receive(frame)
      },
      lose: (code, detail) => events.lose(code, detail),
    }
  }

  /** Writes that the connection ended, and closes the file. */
  end(detail: string): void {
    this.#releaseHeld()
    this.#write({ kind: 'lost', detail })
    this.#close()
  }

  #add(direction: Direction, { kind, id, name, text, attachments }: Message): void {
    const word = kinds[kind]
    if (word === undefined || this.#fd === undefined) return
    if (name === secretName) this.#addSecrets(text)
    const line = {
      date: new Date().toISOString(),
      direction,
      kind: word,
      ...(id !== 0 && { id }),
      name: this.#nameOf(direction, { kind, id, name }),
      ...(attachments.length > 0 && { attachments: attachments.length }),
    }
    if (!this.#held) return this.#writeMessage(line, toContent(text))
    this.#held.push({ line, content: this.#held.length < maxHeld ? toContent(text) : { length: text.length } })
  }

  /** Writes a message with its content, or without it if its name is secret, or unknown where any name is. */
  #writeMessage(line: MessageLine, content: object): void {
    const isSecret = this.#secrets.has(line.name) || this.#isAllSecret || (line.name === '' && this.#secrets.size > 0)
    this.#write({ ...line, ...(isSecret ? { secret: true } : content) })
  }

  #releaseHeld(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const { line, content } of held) this.#writeMessage(line, content)
  }

  /** A list that cannot be read, or is too long to be kept, makes every message secret. */
  #addSecrets(text: string): void {
    try {
      const names: unknown = JSON.parse(text)
      if (!Array.isArray(names)) throw new TypeError('not a list')
      for (const name of names) this.#secrets.add(String(name))
    } catch {
      this.#isAllSecret = true
    }
    if (this.#secrets.size > maxNames) this.#isAllSecret = true
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
