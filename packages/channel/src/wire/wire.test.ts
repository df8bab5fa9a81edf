import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { XPCError } from '../xpc-error.ts'
import { emptyFrame, type Frame, FrameKind } from './frame.ts'
import { Inbox } from './inbox.ts'
import { Outbox } from './outbox.ts'
import { windowSize } from './packet.ts'

const post = { ...emptyFrame, kind: FrameKind.post }
const protocol = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'PROTOCOL.md'), 'utf8')
const vectors = (/```vectors\n(.*?)\n```/s.exec(protocol)?.[1] ?? '')
  .split('\n')
  .map((line) => line.split('|').map((field) => field.trim()))

/** Returns everything that an inbox reads from bytes in pieces of at most `size`. */
function readAll(bytes: Buffer, size = bytes.length): { frames: Frame[]; acks: number[] } {
  const acks: number[] = []
  const frames: Frame[] = []
  const inbox = new Inbox((received) => acks.push(received))
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size)
    inbox.feed(piece, piece.length)
    for (let frame = inbox.next(); frame; frame = inbox.next()) frames.push(frame)
  }
  return { frames, acks }
}

/** Returns the packets that an outbox writes with unlimited credit. */
function writeAll(use: (outbox: Outbox) => void): Buffer {
  const written: Buffer[] = []
  const outbox = new Outbox((bytes, start, end) => {
    written.push(Buffer.from(bytes.subarray(start, end)))
    return end - start
  }, 2 ** 40)
  use(outbox)
  outbox.flush(0)
  return Buffer.concat(written)
}

const packet = (frame: Buffer) => {
  const header = Buffer.alloc(4)
  header.writeUInt32LE(frame.length)
  return Buffer.concat([header, frame])
}

describe('the vectors of PROTOCOL.md', () => {
  test('are complete', () => {
    const count = (kind: string) => vectors.filter(([first]) => first === kind).length
    assert.deepEqual([count('frame'), count('stream'), count('bad')], [14, 4, 22])
  })

  for (const [kind, title = '', hex = '', ...fields] of vectors) {
    const bytes = Buffer.from(hex, 'hex')
    if (kind === 'frame') {
      test(`frame: ${title}`, () => {
        const [numbers = '', name = '', text = '', attached = ''] = fields
        const [frameKind = 0, blocked = 0, id = 0, parent = 0] = numbers.split(' ').map(Number)
        const attachments = attached.split(' ').filter(Boolean)
        const parts = attachments.map((part) => {
          const data = Buffer.from(part.replace(/^["-]/, ''), 'hex')
          return part.startsWith('"') ? data.toString() : new Uint8Array(data)
        })
        const written = writeAll((outbox) =>
          outbox.append({ kind: frameKind, blocked: blocked === 1, id, parent, name, text, attachments: parts }),
        )
        assert.equal(written.subarray(4).toString('hex'), hex)
        const expected = { kind: frameKind, blocked: blocked === 1, id, parent, name, text, attachments: parts }
        for (const size of [1, 3, bytes.length + 4]) assert.deepEqual(readAll(packet(bytes), size).frames, [expected])
      })
    } else if (kind === 'stream') {
      test(`stream: ${title}`, () => {
        for (const size of [1, 5, bytes.length]) {
          const { frames, acks } = readAll(bytes, size)
          assert.equal(frames.map((frame) => frame.kind).join(' '), fields[0])
          assert.equal(acks.join(' '), fields[1])
        }
      })
    } else {
      test(`bad: ${title}`, () => {
        for (const size of [1, bytes.length]) {
          assert.throws(
            () => readAll(bytes, size),
            (error) => error instanceof XPCError && error.code === 'protocol',
          )
        }
      })
    }
  }
})

describe('flow control', () => {
  test('keeps unacknowledged bytes within the window and continues after an acknowledgement', () => {
    let written = 0
    const outbox = new Outbox((_bytes, start, end) => {
      written += end - start
      assert.ok(outbox.underWay + end - start <= windowSize)
      return end - start
    })
    outbox.append({ ...post, name: 'big', text: JSON.stringify('x'.repeat(300_000)) })
    let rounds = 0
    for (; outbox.queued > 0 && rounds < 1000; rounds++) {
      outbox.flush(0)
      outbox.acknowledge(written)
    }
    assert.equal(outbox.queued, 0)
    assert.ok(rounds > 5 && rounds < 50)
  })

  test('writes nothing into the middle of a packet for which the pipe had no room', () => {
    const written: Buffer[] = []
    let room = 10
    const outbox = new Outbox((bytes, start, end) => {
      const size = Math.min(room, end - start)
      written.push(Buffer.from(bytes.subarray(start, start + size)))
      room -= size
      return size
    })
    outbox.append({ ...post, name: 'first', text: '"content"' })
    outbox.flush(0)
    assert.equal(outbox.isHalfWritten, true)
    // An acknowledgement is due, a second frame is queued, and the room comes back a few bytes at a time.
    outbox.append({ ...post, name: 'second' })
    for (let drop = 0; drop < 40; drop++) {
      outbox.acknowledgeIfDue(10_000)
      outbox.flush(10_000)
      room = 3
    }
    const { frames, acks } = readAll(Buffer.concat(written))
    assert.deepEqual(
      frames.map(({ name }) => name),
      ['first', 'second'],
    )
    assert.deepEqual(acks, [10_000])
  })

  test('writes everything even if the pipe runs out of room at any byte', () => {
    const random = seeded(7)
    for (let round = 0; round < 300; round++) {
      const written: Buffer[] = []
      const texts: string[] = []
      let total = 0
      const outbox = new Outbox((bytes, start, end) => {
        const size = Math.min(end - start, Math.floor(random() * 400))
        written.push(Buffer.from(bytes.subarray(start, start + size)))
        total += size
        return size
      })
      let received = 0
      for (let step = 0; step < 60; step++) {
        const text = JSON.stringify('ä'.repeat(Math.floor(random() * 300)))
        texts.push(text)
        outbox.append({ ...post, name: `n${step}`, text })
        received += Math.floor(random() * 4000)
        outbox.flush(received)
        outbox.acknowledgeIfDue(received)
        if (random() < 0.3) outbox.acknowledge(total)
      }
      while (outbox.queued > 0 || outbox.isHalfWritten) {
        outbox.flush(received)
        outbox.acknowledge(total)
      }
      const read = readAll(Buffer.concat(written), 1 + Math.floor(random() * 500))
      assert.deepEqual(
        read.frames.map(({ text }) => text),
        texts,
      )
      assert.ok(read.acks.every((ack, index) => ack >= (read.acks[index - 1] ?? 0) && ack <= received))
    }
  })
})

describe('malformed input', () => {
  test('gives protocol errors only, and no memory is allocated from unchecked lengths', () => {
    const random = seeded(20_260_731)
    const seeds = vectors
      .filter(([kind]) => kind !== 'bad')
      .map(([kind, , hex = '']) => {
        const bytes = Buffer.from(hex, 'hex')
        return kind === 'frame' ? packet(bytes) : bytes
      })
    const rounds = Number(process.env['FUZZ_ROUNDS'] ?? 30_000)
    const before = process.memoryUsage()
    let refused = 0
    let whole = 0
    for (let round = 0; round < rounds; round++) {
      const bytes = mutate(Buffer.concat([pick(seeds, random), pick(seeds, random)]), random)
      try {
        whole += readAll(bytes, 1 + Math.floor(random() * bytes.length)).frames.length
      } catch (error) {
        assert.ok(error instanceof XPCError && error.code === 'protocol', String(error))
        refused++
      }
    }
    assert.ok(refused > rounds / 10, `${refused}`)
    assert.ok(whole > rounds / 10, `${whole}`)
    assert.ok(process.memoryUsage().rss - before.rss < 150e6)
  })
})

/** Xorshift generator of 32 bits: the same seed gives the same numbers. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)]!
}

/** Changes, cuts out or duplicates bytes, or writes extreme values over them. */
function mutate(bytes: Buffer, random: () => number): Buffer {
  let mutated = Buffer.from(bytes)
  for (let change = Math.floor(random() * 4); change > 0; change--) {
    const at = Math.floor(random() * mutated.length)
    const way = random()
    if (way < 0.4) mutated[at] = Math.floor(random() * 256)
    else if (way < 0.6)
      mutated = Buffer.concat([mutated.subarray(0, at), mutated.subarray(at + 1 + Math.floor(random() * 8))])
    else if (way < 0.8) mutated = Buffer.concat([mutated.subarray(0, at), mutated.subarray(Math.floor(at / 2))])
    else if (mutated.length >= 4) {
      mutated.writeUInt32LE(
        pick([0, 1, 11, 0x7fffffff, 0x80000000, 0xffffffff], random),
        Math.min(at, mutated.length - 4),
      )
    }
    if (mutated.length === 0) return Buffer.from(bytes)
  }
  return mutated
}
