import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { XmlError } from './xml-error.ts'
import { XmlReader } from './xml-reader.ts'
import { readEvents } from '../../test/read-xml.ts'

const refuses = (text: string, message: RegExp, line = 1) =>
  assert.throws(
    () => readEvents(text),
    (error) => {
      assert.ok(error instanceof XmlError && message.test(error.message), String(error))
      assert.equal(error.line, line)
      return true
    },
  )

describe('the XML reader', () => {
  it('passes on elements, attributes and text', () => {
    assert.deepEqual(
      readEvents(`<?xml version="1.0"?>\n<a b='1"' c = "&lt;&#65;">x<b/><![CDATA[<y>]]>&amp;</a>\n<!-- z -->`),
      [
        ['open', 'a', { b: '1"', c: '<A' }],
        ['text', 'x'],
        ['open', 'b', {}],
        ['close', 'b'],
        ['text', '<y>&'],
        ['close', 'a'],
      ],
    )
  })

  it('passes on text in pieces of at most 128 Ki characters', () => {
    const lengths: number[] = []
    const nothing = () => {}
    const reader = new XmlReader(
      {
        open: nothing,
        close: nothing,
        isTextWanted: () => true,
        text: (piece) => lengths.push(piece.length),
        entity: nothing,
        forbidden: nothing,
      },
      8,
    )
    reader.write(`<a>${'x'.repeat(1_000_000)}<![CDATA[${'y'.repeat(1_000_000)}]]></a>`)
    reader.end()
    assert.ok(Math.max(...lengths) <= 128 * 1024)
    assert.equal(
      lengths.reduce((sum, length) => sum + length),
      2_000_000,
    )
  })

  it('refuses a document that is cut anywhere before its end', () => {
    const text = `<!DOCTYPE a [<!-- ' --><!ENTITY b "]>">]><a b="c">d&amp;<!-- e --><![CDATA[f]]><?g?></a>`
    for (let end = 0; end < text.length; end++) {
      assert.throws(() => readEvents(text.slice(0, end)), { code: 'malformed', message: /breaks off/ })
    }
    assert.equal(readEvents(text).length, 3)
  })

  it('names the line of a fault', () => {
    refuses('<a>\n<b>\n</a>', /<\/a> closes nothing: the open element is <b>/, 3)
    refuses('<a/>\n<b/>', /second root/, 2)
    refuses('<a>\n\n&\n</a>', /"&"/, 3)
  })

  it('refuses what is not well-formed', () => {
    refuses('<a/>x', /outside of the root/)
    refuses('x<a/>', /outside of the root/)
    refuses('<a/><![CDATA[x]]>', /not where it belongs/)
    refuses('<a b/>', /no value/)
    refuses('<a b=c/>', /not in quotes/)
    refuses('<a b="1"c="2"/>', /White space/)
    refuses('<a>a & b</a>', /"&"/)
    refuses('<a b="&"/>', /"&"/)
    refuses('<a>< b></a>', /no name/)
    refuses('<a><!ELEMENT b></a>', /not where it belongs/)
    refuses('<a></a', /breaks off/)
    refuses('</a>', /no element is open/)
    refuses('', /breaks off before its root/)
  })

  it('refuses what exceeds a limit', () => {
    const tooLarge = (text: string) => assert.throws(() => readEvents(text), { name: 'XmlError', code: 'too-large' })
    tooLarge('<a>'.repeat(1_000))
    tooLarge(`<${'a'.repeat(1_001)}/>`)
    tooLarge(`<a ${Array.from({ length: 1_001 }, (_, number) => `b${number}=""`).join(' ')}/>`)
    tooLarge(`<a b="${'c'.repeat(4 * 1024 * 1024 + 1)}"/>`)
    tooLarge(`<a b="${'c'.repeat(17 * 1024 * 1024)}`)
  })

  it('takes time in proportion to a document that is cut into single characters', () => {
    const text = `<a b="${'c'.repeat(200_000)}">${'&lt;'.repeat(50_000)}<!--${'-'.repeat(200_000)}--></a>`
    assert.deepEqual(
      readEvents(text, () => 1),
      [
        ['open', 'a', { b: 'c'.repeat(200_000) }],
        ['text', '<'.repeat(50_000)],
        ['close', 'a'],
      ],
    )
  })

  it('leaves references to declared and undeclared entities as text, and says so', () => {
    const text = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a c="&b;">&nbsp;&#xyz;</a>'
    assert.deepEqual(readEvents(text), [
      ['entity', 'b'],
      ['open', 'a', { c: '&b;' }],
      ['entity', 'nbsp'],
      ['entity', '#xyz'],
      ['text', '&nbsp;&#xyz;'],
      ['close', 'a'],
    ])
  })

  it('replaces references to forbidden characters, and says so', () => {
    assert.deepEqual(readEvents('<a>&#0;&#xD800;&#x110000;&#27;</a>'), [
      ['open', 'a', {}],
      ['forbidden'],
      ['forbidden'],
      ['forbidden'],
      ['forbidden'],
      ['text', '\ufffd\ufffd\ufffd\u001b'],
      ['close', 'a'],
    ])
  })

  it('gives attributes no inherited names, and keeps the first of two of one name', () => {
    const [[, , attributes] = []] = readEvents('<a __proto__="1" constructor="2" b="3" b="4"/>')
    assert.deepEqual(Object.entries(attributes ?? {}), [
      ['__proto__', '1'],
      ['constructor', '2'],
      ['b', '3'],
    ])
  })

  it('ignores the rest of a document when its handler stops it', () => {
    const nothing = () => {}
    const reader = new XmlReader(
      {
        open: nothing,
        close: () => reader.stop(),
        isTextWanted: () => true,
        text: nothing,
        entity: nothing,
        forbidden: nothing,
      },
      8,
    )
    reader.write('<a></a>\0\0 & <')
    reader.end()
  })
})
