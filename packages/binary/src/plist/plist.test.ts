import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BinaryError, isPlistDictionary, parsePlist } from '../index.ts'
import type { PlistValue } from './plist-value.ts'

const xml = (content: string) => Buffer.from(`<?xml version="1.0"?><plist version="1.0">${content}</plist>`)
const plain = (value: PlistValue | undefined): unknown => (isPlistDictionary(value) ? { ...value } : value)
const refuses = (bytes: Buffer, message: RegExp) =>
  assert.throws(
    () => parsePlist(bytes),
    (error) => error instanceof BinaryError && message.test(error.message),
  )

/** Writes a binary property list of these objects, with one-byte references and the first object on top. */
function binary(...objects: (number[] | Buffer)[]): Buffer {
  const parts = [Buffer.from('bplist00'), ...objects.map((object) => Buffer.from(object))]
  const offsets = parts.slice(0, -1).map((_, index) => Buffer.concat(parts.slice(0, index + 1)).length)
  const body = Buffer.concat(parts)
  const trailer = Buffer.alloc(32)
  trailer.set([2, 1], 6)
  trailer.writeBigUInt64BE(BigInt(objects.length), 8)
  trailer.writeBigUInt64BE(BigInt(body.length), 24)
  const table = Buffer.alloc(offsets.length * 2)
  for (const [index, offset] of offsets.entries()) table.writeUInt16BE(offset, index * 2)
  return Buffer.concat([body, table, trailer])
}

const ascii = (text: string) => Buffer.concat([Buffer.from([0x50 | text.length]), Buffer.from(text)])

describe('an XML property list', () => {
  test('gives every kind of value', () => {
    const value = parsePlist(
      xml(`<dict>
        <key>text</key><string>a &lt;b&gt; &#38; &#x1F600; <![CDATA[<c>]]></string><!-- nothing -->
        <key>empty</key><string/>
        <key>integers</key>
        <array><integer>-7</integer><integer>0x1F</integer><integer>9223372036854775808</integer></array>
        <key>real</key><real>1.5e3</real>
        <key>flags</key><array><true/><false></false></array>
        <key>date</key><date>2026-01-02T03:04:05Z</date>
        <key>data</key><data> aGVs
          bG8= </data>
      </dict>`),
    )
    assert.deepEqual(plain(value), {
      text: 'a <b> & 😀 <c>',
      empty: '',
      integers: [-7, 31, 9223372036854775808n],
      real: 1500,
      flags: [true, false],
      date: new Date('2026-01-02T03:04:05Z'),
      data: Buffer.from('hello'),
    })
  })

  test('treats __proto__ as an ordinary key', () => {
    const value = parsePlist(xml('<dict><key>__proto__</key><dict><key>polluted</key><true/></dict></dict>'))
    assert.deepEqual(Object.keys(Object(value)), ['__proto__'])
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })

  test('is read in UTF-16 too', () => {
    const bytes = Buffer.from('\ufeff<?xml version="1.0"?><plist><string>ä</string></plist>', 'utf16le')
    assert.equal(parsePlist(bytes), 'ä')
  })

  test('ignores the declarations of its document type', () => {
    const declared = '<!DOCTYPE plist [<!ENTITY x SYSTEM "file:///etc/passwd"> <!ENTITY y "]>">]>'
    refuses(Buffer.from(`${declared}<plist><string>&x;</string></plist>`), /entity/)
    assert.equal(parsePlist(Buffer.from(`${declared}<plist><string>z</string></plist>`)), 'z')
  })

  test('is refused if it is malformed', () => {
    refuses(xml('<dict><key>a</key></dict>'), /no value/)
    refuses(xml('<dict><string>a</string></dict>'), /no key/)
    refuses(xml('<dict><key>a</key><string>b</dict>'), /closes nothing/)
    refuses(xml('<array></dict>'), /closes nothing/)
    refuses(xml('<string>a</string><string>b</string>'), /two values/)
    refuses(xml('<integer>seven</integer>'), /integer/)
    refuses(xml('<date>tomorrow</date>'), /date/)
    refuses(xml('<blink>a</blink>'), /<blink>/)
    refuses(xml('<array>'.repeat(200)), /nested too deeply/)
    refuses(Buffer.from('<plist><dict>'), /breaks off/)
    refuses(Buffer.from(''), /breaks off/)
  })
})

describe('a binary property list', () => {
  test('gives every kind of value', () => {
    const list = binary(
      [0xaa, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      ascii('text'),
      [0x62, 0x00, 0xe4, 0x20, 0xac],
      [0x11, 0xff, 0xfe],
      [0x13, 255, 255, 255, 255, 255, 255, 255, 255],
      [0x23, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0],
      [0x09],
      [0x33, 0x41, 0x9a, 0x2b, 0x1b, 0x80, 0, 0, 0],
      [0x42, 1, 2],
      [0x80, 7],
      [0xd1, 1, 3],
    )
    const value = parsePlist(list)
    assert.ok(Array.isArray(value))
    const [text, wide, integer, negative, real, flag, date, data, uid, dictionary] = value
    assert.deepEqual([text, wide, integer, negative, real, flag], ['text', 'ä€', 65534, -1, 1.5, true])
    assert.ok(date instanceof Date)
    assert.deepEqual(data, Buffer.from([1, 2]))
    assert.deepEqual(plain(uid), { CF$UID: 7 })
    assert.deepEqual(plain(dictionary), { text: 65534 })
  })

  test('is refused if it contains itself', () => {
    refuses(binary([0xa1, 0]), /contains itself/)
    refuses(binary([0xa1, 1], [0xa1, 0]), /contains itself/)
  })

  test('is refused if expanding its shared objects would be too large, and accepted if they are few', () => {
    const levels = Array.from({ length: 40 }, (_, index) => [0xa2, index + 1, index + 1])
    refuses(binary(...levels, ascii('leaf')), /refers to itself too often/)
    assert.deepEqual(parsePlist(binary([0xa2, 1, 1], ascii('leaf'))), ['leaf', 'leaf'])
  })

  test('is refused if an offset or count points outside it', () => {
    refuses(binary([0xa1, 9]), /points at no object/)
    refuses(binary([0x5f, 0x11, 0x7f, 0xff]), /reaches past the end/)
    refuses(binary([0xaf, 0x13, 0x7f, 255, 255, 255, 255, 255, 255, 255]), /impossible/)
    refuses(binary([0xd1, 1, 1], [0x10, 1]), /key is not a string/)
    refuses(Buffer.from('bplist00'), /too short/)
  })

  test('is refused if it has more bytes or objects than allowed', () => {
    assert.throws(() => parsePlist(xml('<string>a</string>'), { maxBytes: 10 }), { code: 'too-large' })
    assert.throws(() => parsePlist(binary([0xa1, 1], [0x09]), { maxObjects: 1 }), { code: 'too-large' })
  })
})
