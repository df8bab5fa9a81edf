import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseTombstone } from './parse-tombstone.ts'
import { parseTombstoneFrame } from './tombstone-frame.ts'

function parseFrame(line: string) {
  const frame = parseTombstoneFrame(line, line)
  assert.ok(frame, line)
  const { pc, module, function: name, functionOffset, buildId } = frame
  return { pc, module, name, functionOffset, buildId }
}

describe('a frame of a tombstone', () => {
  it('may be in a library that lies in an APK', () => {
    const line = '      #01 pc 00006244  /data/app/a==/base.apk!libatlas.so (offset 0x1c4000) (f+4) (BuildId: 94AB)'
    const expected = { pc: 0x6244, module: 'libatlas.so', name: 'f', functionOffset: 4, buildId: '94ab' }
    assert.deepEqual(parseFrame(line), expected)
  })

  it('may have spaces and parentheses in the path and in the name', () => {
    const line = '#00 pc 0000000000000010  /data/my app/lib(1).so (atlas::(anonymous namespace)::area(int, int)+12)'
    assert.deepEqual(parseFrame(line), {
      pc: 16,
      module: 'lib(1).so',
      name: 'atlas::(anonymous namespace)::area(int, int)',
      functionOffset: 12,
      buildId: null,
    })
  })

  it('may lie in memory that belongs to no file', () => {
    assert.equal(parseFrame('#02 pc 00000010  /memfd:jit-cache (deleted)').module, 'memfd:jit-cache (deleted)')
    assert.equal(parseFrame('#02 pc 00000010  /memfd:jit-cache (deleted) (a.B.run+4)').name, 'a.B.run')
    assert.equal(parseFrame('#02 pc 00000010  <anonymous:7942abc000>').module, '<anonymous:7942abc000>')
    assert.equal(parseFrame('#02 pc 00000010  [anon:dalvik] (a.B.run)').name, 'a.B.run')
  })
})

describe('a tombstone', () => {
  it('tells the crashed thread, its signal and its message, also in a log', () => {
    const lines = [
      "Build fingerprint: 'google/a/a:14/AP0A/1:user/release-keys'",
      "ABI: 'arm64'",
      'pid: 10, tid: 12, name: Render Thread  >>> org.example.app <<<',
      'signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------',
      "Abort message: 'it's over'",
      '      #00 pc 0000000000000010  /system/lib64/libc.so (abort+4) (BuildId: 00ff)',
      'pid: 10, tid: 10, name: main  >>> org.example.app <<<',
      '      #00 pc 0000000000000020  /system/lib64/libc.so',
    ]
    for (const prefix of ['', '11-01 10:00:07.123  4242  4260 F DEBUG   : ']) {
      const tombstone = parseTombstone(lines.map((line) => prefix + line).join('\r\n'))
      assert.equal(tombstone.tid, 12)
      assert.deepEqual(tombstone.signal, { name: 'SIGABRT', code: 'SI_QUEUE' })
      assert.equal(tombstone.abortMessage, "it's over")
      assert.equal(tombstone.architecture, 'arm64')
      assert.deepEqual(
        tombstone.threads.map(({ name, crashed, frames }) => [name, crashed, frames.length]),
        [
          ['Render Thread', true, 1],
          ['main', false, 1],
        ],
      )
    }
  })
})
