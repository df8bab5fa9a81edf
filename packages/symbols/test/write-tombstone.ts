/** Writes a small tombstone of Android as Protocol Buffers, whose bytes are no UTF-8. */

export interface WrittenFrame {
  pc: number
  function: string
  file: string
  buildId?: string
}

/** A crash by SIGSEGV in the main thread with these frames, the innermost first. */
export function writeTombstone(frames: readonly WrittenFrame[]): Buffer {
  const written = frames.flatMap(({ pc, function: name, file, buildId }) => {
    const id = buildId === undefined ? [] : [writeField(8, buildId)]
    return writeField(4, Buffer.concat([writeField(1, pc), writeField(4, name), writeField(6, file), ...id]))
  })
  const thread = Buffer.concat([writeField(1, tid), writeField(2, 'main'), ...written])
  const signal = [writeField(1, 11), writeField(2, 'SIGSEGV'), writeField(3, 1), writeField(4, 'SEGV_MAPERR')]
  return Buffer.concat([
    writeField(1, 1),
    writeField(2, 'google/x/x:15/A/1:user/release-keys'),
    writeField(5, tid),
    writeField(6, tid),
    writeField(10, Buffer.concat(signal)),
    writeField(16, Buffer.concat([writeField(1, tid), writeField(2, thread)])),
  ])
}

/** The id of the main thread. Its second byte in a varint is 0xff, which begins no character of UTF-8. */
const tid = 0x1_ffff

function writeField(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.concat([writeVarint(number * 8), writeVarint(value)])
  const bytes = Buffer.from(value)
  return Buffer.concat([writeVarint(number * 8 + 2), writeVarint(bytes.length), bytes])
}

function writeVarint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80)
  return Buffer.from([...bytes, rest])
}
