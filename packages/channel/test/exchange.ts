import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LaunchedApp } from '@fairlead/channel/test'
import { catchError } from './expect-error.ts'

/** Runs the exchange that every app side must support, whatever language it is written in. */
export function testExchange(start: () => Promise<LaunchedApp>): void {
  let app: LaunchedApp
  before(async () => {
    app = await start()
  })
  after(() => app.close())

  test('echoes content, even if it is many times larger than the window', async () => {
    const content = { text: 'ä漢😀"\\\n', list: [1, -2.5, true, null, []], nested: { a: {} } }
    assert.deepEqual(app.xpcService.send('echo', content, { decoding: Object }), content)
    assert.deepEqual(await app.xpcService.sendAsync('echo', content, { decoding: Object }), content)
    const large = 'wörd '.repeat(400_000)
    assert.equal(app.xpcService.send('echo', large, { decoding: String }), large)
    assert.equal(await app.xpcService.sendAsync('echo', large, { decoding: String }), large)
  })

  test('handles nested calls on the same stack, 20 levels deep', () => {
    using _ = app.xpcService.on('descend', { decoding: Number, encoding: Number }, (depth) =>
      depth === 0 ? 0 : app.xpcService.send('descend', depth - 1, { decoding: Number }) + 1,
    )
    assert.equal(app.xpcService.send('descend', 20, { decoding: Number }), 20)
  })

  test('reports failures, missing handlers and its permission statuses', () => {
    const failed = catchError(() => app.xpcService.send('fail'))
    assert.equal(failed.code, 'handlerFailed')
    assert.match(failed.message, /out of/)
    assert.equal(catchError(() => app.xpcService.send('nobody')).code, 'noHandler')
    assert.equal(app.contactsAuthorizationStatus, 'unavailable')
  })

  test('sends and receives 20,000 posts in order', async () => {
    const seen: number[] = []
    using _ = app.xpcService.on('said', { decoding: Object }, (content) => {
      assert.ok(typeof content === 'object' && content !== null && 'index' in content)
      seen.push(Number(content.index))
    })
    for (let index = 0; index < 20_000; index++) app.xpcService.post('echo', { index, text: 'x'.repeat(100) })
    app.xpcService.send('say', 20_000)
    assert.equal(seen.length, 20_000)
    assert.ok(seen.every((index, at) => index === at))
  })
}
