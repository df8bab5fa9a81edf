import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { FileWriter } from './file-writer.ts'

describe('FileWriter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-writer-'))
  const writer = new FileWriter()
  after(async () => {
    await writer[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  it('writes several files concurrently, keeps the order within each, and returns their digests', async () => {
    const write = async (name: string, pieces: Buffer[]) => {
      const bytes = Buffer.concat(pieces)
      const path = join(folder, name)
      const file = writer.create(path)
      for (const piece of pieces) await file.add(piece)
      assert.equal(await file.finish(), createHash('sha256').update(bytes).digest('hex'))
      assert.ok((await readFile(path)).equals(bytes))
    }
    await Promise.all([
      write(
        'large',
        Array.from({ length: 300 }, (_, index) => Buffer.alloc(65_536, index)),
      ),
      write('one', [Buffer.alloc(5_000_000, 'x')]),
      write(
        'tiny',
        Array.from({ length: 2000 }, (_, index) => Buffer.from([index])),
      ),
      write('empty', []),
    ])
  })

  it('does not detach a buffer that shares its memory', async () => {
    const shared = Buffer.from('left|taken|right')
    const file = writer.create(join(folder, 'shared'))
    await file.add(shared.subarray(5, 10))
    await file.finish()
    assert.equal(await readFile(join(folder, 'shared'), 'utf8'), 'taken')
    assert.equal(shared.toString(), 'left|taken|right')
  })

  it('applies back-pressure when the disk is slower than the sender', async () => {
    const file = writer.create(join(folder, 'waited-for'))
    let waits = 0
    for (let index = 0; index < 32; index++) {
      const full = file.add(Buffer.alloc(2 ** 20))
      if (full) waits++
      await full
    }
    assert.ok(waits > 0)
    await file.finish()
  })

  it("rejects with the system's error code when a file cannot be created, and closes abandoned files", async () => {
    const path = join(folder, 'given-up')
    const file = writer.create(path)
    await assert.rejects(writer.create(path).finish(), { code: 'EEXIST' })
    await assert.rejects(writer.create(join(folder, 'no', 'folder')).sync(), { code: 'ENOENT' })
    await file.add(Buffer.from('some'))
    await file.abandon()
    await file.abandon()
    await assert.rejects(file.finish(), /not open/)
  })

  it('rejects pending calls when its thread ends, and starts a new thread for the next file', async () => {
    const failing = new FileWriter()
    const file = failing.create(join(folder, 'cut-off'))
    await failing[Symbol.asyncDispose]()
    await assert.rejects(file.finish(), /thread has ended/)
    await using next = failing
    const other = next.create(join(folder, 'after-it'))
    await other.finish()
  })

  it('keeps a program alive while it is closed, even if an answer arrives meanwhile', async () => {
    const program = `
      import { FileWriter } from '${new URL('file-writer.ts', import.meta.url).href}'
      for (let round = 0; round < 40; round++) {
        const writer = new FileWriter()
        const file = writer.create(${JSON.stringify(join(folder, 'closed-'))} + round)
        file.abandon().catch(() => {})
        // The answer arrives at a different moment of the closing in each round.
        for (const end = performance.now() + (round % 20) / 20; performance.now() < end; );
        await writer[Symbol.asyncDispose]()
      }
      console.log('closed')
    `
    const path = join(folder, 'program.ts')
    await writeFile(path, program)
    assert.equal(execFileSync(process.execPath, [path], { timeout: 60_000, encoding: 'utf8' }), 'closed\n')
  })
})
