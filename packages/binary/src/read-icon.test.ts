import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32, deflateRawSync, inflateSync } from 'node:zlib'
import { writeApk, writeIcon, writeIpa } from './fixture/fixture.ts'
import { BinaryError, readApp } from './index.ts'
import { readIcon, toPortableImage } from './read-icon.ts'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

/** Writes a PNG in Apple's CgBI variant: raw deflate, BGRA, premultiplied alpha. */
function writeCgbi(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('CgBI', Buffer.from('50002002', 'hex')),
    chunk('IHDR', header),
    chunk('IDAT', deflateRawSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns the inflated rows of a PNG with one IDAT. */
function rowsOf(png: Buffer): Buffer {
  const at = png.indexOf('IDAT')
  return inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
}

describe('readIcon', () => {
  test('returns the PNG of an APK unchanged', async () => {
    const icon = writeIcon(96, [200, 30, 60])
    const bytes = writeApk({ icon })
    const { icon: found } = await readApp(bytes)
    assert.deepEqual(await readIcon(bytes, found ?? assert.fail('no icon')), { format: 'png', bytes: icon })
  })

  test("of Apple's kind gets its colours back, those under alpha as well", async () => {
    // The first row is opaque orange and half-transparent red, stored premultiplied as 128. The second row adds zero to
    // the row above.
    const rows = Buffer.from([0, 0, 128, 255, 255, 0, 0, 128, 128, 2, 0, 0, 0, 0, 0, 0, 0, 0])
    const bytes = writeIpa({ icon: writeCgbi(2, 2, rows) })
    const { icon } = await readApp(bytes)
    const image = await readIcon(bytes, icon ?? assert.fail('no icon'))
    assert.deepEqual(
      [...rowsOf(image?.bytes ?? assert.fail('no image'))],
      [0, 255, 128, 0, 255, 255, 0, 0, 128, 2, 0, 0, 0, 0, 0, 0, 0, 0],
    )
    assert.equal(image?.bytes.includes('CgBI'), false)
  })

  test('composes the layers of an adaptive icon and crops them to the middle', async () => {
    const foreground = writeIcon(108, [200, 30, 60])
    const bytes = writeApk({ icon: { background: 0xff00ff00, foreground } })
    const { icon } = await readApp(bytes)
    assert.deepEqual(icon, {
      kind: 'layers',
      path: 'res/icon.xml',
      background: { color: '#ff00ff00' },
      foreground: { path: 'res/foreground.png', format: 'png' },
    })
    const image = await readIcon(bytes, icon ?? assert.fail('no icon'))
    assert.equal(image?.bytes.readUInt32BE(16), 108, 'the middle 72 of 108 units, of a layer taken to have 162 pixels')
    const [filter, ...pixel] = rowsOf(image.bytes).subarray(0, 5)
    assert.deepEqual([filter, pixel], [4, [200, 30, 60, 255]])
  })

  test('shows the background where the foreground is transparent', async () => {
    const transparent = writeCgbi(2, 2, Buffer.alloc(18))
    const bytes = writeApk({ icon: { background: 0xff00ff00, foreground: toPortableImage(transparent).bytes } })
    const { icon } = await readApp(bytes)
    const image = await readIcon(bytes, icon ?? assert.fail('no icon'))
    assert.deepEqual([...rowsOf(image?.bytes ?? assert.fail('no image')).subarray(0, 5)], [4, 0, 255, 0, 255])
  })

  test('drops text and colour profile chunks', () => {
    const icon = writeIcon()
    const bomb = chunk('zTXt', Buffer.alloc(1000, 1))
    const image = toPortableImage(Buffer.concat([icon.subarray(0, 33), bomb, icon.subarray(33)]))
    assert.deepEqual(image.bytes, icon)
  })

  test('refuses a damaged or excessively large image', () => {
    const refuses = (bytes: Buffer, code: string) =>
      assert.throws(
        () => toPortableImage(bytes),
        (error) => error instanceof BinaryError && error.code === code,
      )
    refuses(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'malformed-image')
    refuses(writeIcon().subarray(0, 60), 'malformed-image')
    refuses(writeCgbi(10_000, 10_000, Buffer.alloc(10)), 'too-large')
    refuses(writeCgbi(60, 60, Buffer.alloc(1_000_000)), 'malformed-image')
    refuses(writeCgbi(60, 60, Buffer.alloc(10)), 'malformed-image')
  })

  test('returns JPEG and WebP unchanged', () => {
    const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(20)])
    assert.equal(toPortableImage(jpeg).format, 'jpeg')
    const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ')
    assert.deepEqual(toPortableImage(webp), { format: 'webp', bytes: webp })
  })
})
