import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readEnvelope } from './read-envelope.ts'

const event = '{"level":"fatal","message":"boom"}'
const read = (...lines: string[]) => {
  const { crashes, sessions, dropped } = readEnvelope(Buffer.from(lines.join('\n')))
  return [crashes.length, sessions.length, dropped]
}

describe('an item of an envelope that cannot be read', () => {
  const kept = [1, 0, ['damaged']]
  it('does not cost the event behind it, whatever order its header has', () => {
    for (const header of ['{"type":"event"}', `{"content_type":"x","type":"event","length":${event.length}}`]) {
      for (const broken of [
        'no header',
        '{"type":"attachment"',
        '[]',
        'x'.repeat(70_000),
        '{"type":"x","length":900}',
      ]) {
        assert.deepEqual(read('{}', broken, 'some bytes', '{"a":1}', header, event), kept, broken.slice(0, 30))
      }
    }
  })

  it('does not cost the items around it, nor do several', () => {
    const lines = ['{}', '{"type":"event"}', event, 'no', 'no', '{"type":"session"}', '{"init":true}', 'no', 'no']
    assert.deepEqual(read(...lines, '{"type":"event"}', event), [2, 1, ['damaged']])
  })

  it('may be one whose length is too small', () => {
    assert.deepEqual(read('{}', '{"type":"attachment","length":3}', 'some text', '{"type":"event"}', event), [
      1,
      0,
      ['attachment', 'damaged'],
    ])
  })

  it('makes no event of what only looks like one', () => {
    const looks = ['{"type":"event"}', 'text', '{"type":"attachment"}', event, '{"message":"x"}', '{"type":"event"}']
    assert.throws(() => read('{}', 'no', ...looks), { code: 'malformed' })
  })

  it('is passed in bounded time', () => {
    for (const line of ['{"type":"a"}\n', '{\n', '\n', '{"type":"event"}\n', '{"type":"event","length":9e9}\n{']) {
      const body = `{}\nno\n${line.repeat(20_000_000 / line.length)}`
      assert.throws(() => readEnvelope(Buffer.from(body)), { name: 'CrashesError' })
    }
  })
})
