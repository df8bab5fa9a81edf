import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createExif,
  createJpeg,
  createPng,
  jpegScan,
  pngSignature,
  secretPlace,
  toJpegExif,
  toJpegFrame,
  toJpegSegment,
  toPngChunk,
  toPngHeader,
  toVp8,
  toVp8x,
  toWebp,
  toWebpChunk,
} from '../testing/pictures.ts'
import { cleanPicture } from './clean-picture.ts'
import { readOrientation } from './orientation.ts'
import { PictureError } from './picture.ts'

const html = Buffer.from('<script>alert(1)</script>')
const pixelChunk = toPngChunk('IDAT', Buffer.from([1, 2, 3]))

function clean(bytes: Buffer): { type: string; width: number; height: number; bytes: Buffer } {
  const { pieces, ...facts } = cleanPicture(bytes)
  return { ...facts, bytes: Buffer.concat(pieces) }
}

const decorated: [string, Buffer, Buffer][] = [
  [
    'PNG',
    createPng({
      chunks: [
        toPngChunk('eXIf', createExif(6)),
        toPngChunk('tEXt', Buffer.from(`Comment\0${secretPlace}`)),
        toPngChunk('iCCP', html),
        toPngChunk('acTL', Buffer.alloc(8)),
        toPngChunk('fdAT', html),
      ],
    }),
    createPng(),
  ],
  [
    'JPEG',
    createJpeg({
      segments: [
        toJpegExif(6),
        toJpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${secretPlace}`)),
        toJpegSegment(0xe2, html),
        toJpegSegment(0xed, Buffer.from(secretPlace)),
        toJpegSegment(0xfe, html),
      ],
    }),
    createJpeg(),
  ],
  [
    'WebP',
    toWebp(
      toVp8x(8, 6, 0x2c),
      toWebpChunk('ICCP', html),
      toVp8(8, 6),
      toWebpChunk('EXIF', createExif(6)),
      toWebpChunk('XMP ', Buffer.from(secretPlace)),
      toWebpChunk('JUNK', html),
    ),
    toWebp(toVp8(8, 6)),
  ],
]

describe('A picture', () => {
  for (const [format, picture, plain] of decorated) {
    it(`loses what is not its pixels, and keeps its orientation: ${format}`, () => {
      const polyglot = Buffer.concat([picture, html, Buffer.from('PK\x03\x04'), picture])
      const cleaned = clean(polyglot)
      for (const trace of [secretPlace, 'script', 'PK\x03\x04', 'adobe', 'Comment']) {
        assert.ok(!cleaned.bytes.includes(trace), `${format} holds ${trace}`)
      }
      const at = cleaned.bytes.indexOf(Buffer.from('II*\0', 'latin1'))
      assert.ok(at > 0, 'Exif is written anew')
      assert.equal(readOrientation(cleaned.bytes.subarray(at)), 6)
      assert.equal(
        cleaned.bytes.length - clean(plain).bytes.length,
        format === 'PNG' ? 38 : format === 'JPEG' ? 36 : 52,
      )
      assert.deepEqual(clean(cleaned.bytes), cleaned, 'a clean picture stays as it is')
    })

    it(`is refused wherever it is cut off: ${format}`, () => {
      for (let length = 0; length < picture.length; length++) {
        assert.throws(() => clean(picture.subarray(0, length)), PictureError, `${format} of ${length} bytes`)
      }
    })

    it(`is refused or harmless, whatever bytes are changed: ${format}`, () => {
      let seed = 7
      const random = (below: number) => {
        seed = (seed * 1103515245 + 12345) % 2 ** 31
        return seed % below
      }
      for (let round = 0; round < 1000; round++) {
        const bytes = Buffer.from(picture)
        for (let count = 0; count <= random(4); count++) bytes[random(bytes.length)] = random(256)
        try {
          assert.deepEqual(clean(clean(bytes).bytes).bytes, clean(bytes).bytes)
        } catch (error) {
          if (!(error instanceof PictureError)) throw error
        }
      }
    })
  }

  it('keeps how its colors are coded', () => {
    const adobe = toJpegSegment(0xee, Buffer.from('Adobe\0\x64\x80\0\0\0\x02', 'latin1'))
    const kept = toJpegSegment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x02', 'latin1'))
    assert.ok(clean(createJpeg({ segments: [adobe] })).bytes.includes(kept))
    const palette = toPngChunk('PLTE', Buffer.alloc(6))
    assert.ok(clean(createPng({ chunks: [palette] })).bytes.includes(palette))
    const alpha = toWebpChunk('ALPH', Buffer.alloc(4))
    assert.ok(clean(toWebp(toVp8x(8, 6, 0x10), alpha, toVp8(8, 6))).bytes.includes(alpha))
  })

  const refused: [string, Buffer][] = [
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a GIF that goes on as a JPEG', Buffer.concat([Buffer.from('GIF89a/*'), createJpeg()])],
    ['a page before a PNG', Buffer.concat([html, createPng()])],
    ['BMP', Buffer.from('BM\x46\0\0\0')],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['nothing', Buffer.alloc(0)],
    [
      'a PNG with a side too long',
      Buffer.concat([pngSignature, toPngHeader(12_001, 1), pixelChunk, toPngChunk('IEND')]),
    ],
    [
      'a PNG with too many pixels',
      Buffer.concat([pngSignature, toPngHeader(12_000, 12_000), pixelChunk, toPngChunk('IEND')]),
    ],
    [
      'a PNG of 4 billion pixels a side',
      Buffer.concat([pngSignature, toPngHeader(2 ** 32 - 1, 2 ** 32 - 1), pixelChunk]),
    ],
    ['a PNG without pixels', Buffer.concat([pngSignature, toPngHeader(4, 2), toPngChunk('IEND')])],
    ['a PNG of no width', Buffer.concat([pngSignature, toPngHeader(0, 2), pixelChunk, toPngChunk('IEND')])],
    ['a PNG that never ends', Buffer.concat([pngSignature, toPngHeader(4, 2), pixelChunk])],
    [
      'a PNG of endless chunks',
      Buffer.concat([
        pngSignature,
        toPngHeader(4, 2),
        ...Array.from({ length: 30_000 }, () => toPngChunk('IDAT')),
        pixelChunk,
        toPngChunk('IEND'),
      ]),
    ],
    ['a PNG with two headers', createPng({ chunks: [toPngHeader(4, 2)] })],
    ['a PNG with a chunk that nobody knows', createPng({ chunks: [toPngChunk('CgBI', Buffer.alloc(4))] })],
    [
      'a PNG whose header is not the first',
      Buffer.concat([pngSignature, pixelChunk, toPngHeader(4, 2), toPngChunk('IEND')]),
    ],
    ['a PNG with a damaged chunk', damage(createPng(), 60)],
    ['a JPEG with a side too long', createJpeg({ frame: toJpegFrame(12_001, 8) })],
    ['a JPEG with too many pixels', createJpeg({ frame: toJpegFrame(11_000, 11_000) })],
    ['a JPEG whose height comes later', createJpeg({ frame: toJpegFrame(8, 0) })],
    ['a JPEG with two frames', createJpeg({ segments: [toJpegFrame(8, 6)] })],
    ['a JPEG without a frame', createJpeg({ frame: Buffer.alloc(0) })],
    ['a JPEG without a scan', createJpeg({ scans: [] })],
    ['a JPEG of a thousand scans', createJpeg({ scans: Array.from({ length: 1000 }, () => jpegScan) })],
    [
      'a JPEG of endless comments',
      createJpeg({ segments: Array.from({ length: 3000 }, () => toJpegSegment(0xfe, html)) }),
    ],
    ['an arithmetic JPEG', createJpeg({ frame: toJpegFrame(8, 6, 0xc9) })],
    ['a lossless JPEG', createJpeg({ frame: toJpegFrame(8, 6, 0xc3) })],
    ['a JPEG that begins again', createJpeg({ segments: [Buffer.from([0xff, 0xd8])] })],
    ['a WebP with too many pixels', toWebp(toVp8(12_000, 12_000))],
    ['a WebP whose canvas is larger', toWebp(toVp8x(16_000_000, 16_000_000), toVp8(8, 6))],
    ['a WebP that moves', toWebp(toVp8x(8, 6, 0x02), toWebpChunk('ANIM', Buffer.alloc(6)), toWebpChunk('ANMF', html))],
    ['a WebP with two pictures', toWebp(toVp8(8, 6), toVp8(8, 6))],
    ['a WebP without pixels', toWebp(toVp8x(8, 6))],
    ['a WebP of endless chunks', toWebp(toVp8(8, 6), ...Array.from({ length: 2000 }, () => toWebpChunk('JUNK', html)))],
    ['a sound', toWebpOf('WAVE')],
  ]
  for (const [name, bytes] of refused) {
    it(`is not ${name}`, () => {
      assert.throws(() => clean(bytes), PictureError)
    })
  }
})

function damage(bytes: Buffer, at: number): Buffer {
  const damaged = Buffer.from(bytes)
  damaged[at] = (damaged[at] ?? 0) ^ 1
  return damaged
}

function toWebpOf(type: string): Buffer {
  const bytes = toWebp(toVp8(8, 6))
  bytes.write(type, 8, 'latin1')
  return bytes
}
