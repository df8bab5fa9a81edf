import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { launch, XPCError, type XPCService } from '@fairlead/channel/test'
import { messages } from './examples/cart-messages.ts'

describe('a transcript', () => {
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-transcript-'))
  })

  after(() => rm(folder, { recursive: true }))

  it('lists all messages in order, answers with the name of their request, and the end of the connection', async () => {
    const transcript = join(folder, 'messages.jsonl')
    const started = Date.now()
    {
      await using app = await launch({
        command: process.execPath,
        args: [`${import.meta.dirname}/examples/cart-app.ts`],
        transcript,
      })
      const cart = app.xpcService.with(messages)
      cart.on('added', () => {})
      cart.send('add', { name: 'rope', price: 12 })
      assert.equal(await cart.sendAsync('count'), 1)
      assert.throws(() => app.xpcService.send('unknown', 'x'.repeat(5000)), XPCError)
    }
    const text = await readFile(transcript, 'utf8')
    const lines = text.split('\n').filter((line) => line !== '')
    const entries = lines.map((line): Record<string, unknown> => JSON.parse(line))
    assert.deepEqual(
      entries.map(({ direction, kind, name }) => [direction, kind, name].filter(Boolean).join(' ')),
      [
        'sent request add',
        'received post added',
        'received response add',
        'sent request count',
        'received response count',
        'sent request unknown',
        'received error unknown',
        'lost',
      ],
    )
    assert.deepEqual(entries[1]?.['content'], { name: 'rope', price: 12, size: 1 })
    assert.equal(entries[4]?.['content'], 1)
    assert.equal(entries[5]?.['attachments'], 1)
    assert.ok(!text.includes('xxx'))
    for (const { date } of entries) assert.ok(Date.parse(String(date)) >= started - 1)
  })

  it('leaves out what the app calls secret, even in messages sent before the app was ready', async () => {
    const transcript = join(folder, 'secrets.jsonl')
    {
      const args = [`${import.meta.dirname}/apps/secrets.ts`]
      const register = (service: XPCService) => void service.on('token', { decoding: String }, () => {})
      await using app = await launch({ command: process.execPath, args, transcript, register })
      app.xpcService.post('unknown', 'plugh')
      for (let round = 0; round < 2; round++) {
        const answer = app.xpcService.send('signIn', { password: 'xyzzy-sent' }, { decoding: Object })
        assert.match(JSON.stringify(answer), /xyzzy-answered.*xyzzy-sent/)
      }
      assert.throws(() => app.xpcService.send('fail', 'shown'), XPCError)
    }
    const text = await readFile(transcript, 'utf8')
    assert.doesNotMatch(text, /xyzzy/)
    assert.match(text, /plugh/)
    assert.match(text, /shown/)
    assert.equal(text.split('"secret":true').length - 1, 6)
  })

  it('that cannot be created fails the launch', async () => {
    const options = { command: process.execPath, args: ['-e', ''], transcript: join(folder, 'no', 'folder') }
    await assert.rejects(launch(options), /ENOENT/)
  })
})
