import assert from 'node:assert/strict'

/** What may stand outside of `untrusted`: dates, hex and UUIDs, enums and aliases, cursors and places of texts. */
const plain = [
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^[\da-fA-F]{7,64}$/,
  /^[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}$/,
  /^[a-zA-Z][a-zA-Z0-9-]{0,63}$/,
  /^[\w.+~-]{1,100}$/,
]
const prose = new Set(['releaseNotes', 'message', 'text', 'output', 'reason'])
/** Controls but tab and line feed, direction marks, zero-width, soft hyphen, tags, interlinear marks, lone halves. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- these are looked for
  /[\0-\x08\v-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u

interface Place {
  baseUrl: string
  /** Words that strangers have planted. They may stand under `untrusted` only. */
  planted: readonly string[]
}

/** Asserts the rule of `untrusted` and the limits of texts at every depth of an answer. */
export function checkAnswer(answer: unknown, place: Place, path = 'answer'): void {
  if (typeof answer === 'string') checkOwnWord(answer, place, path)
  if (typeof answer !== 'object' || answer === null) return
  for (const [key, value] of Object.entries(answer)) {
    const below = `${path}.${key}`
    for (const word of place.planted) assert.ok(!key.includes(word), `${below}: a key is made of a text`)
    if (key === 'untrusted') {
      assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), below)
      checkTexts(value, below, '')
    } else checkAnswer(value, place, below)
  }
}

function checkOwnWord(text: string, { baseUrl, planted }: Place, path: string): void {
  assert.ok(text.length <= 600, path)
  for (const word of planted) assert.ok(!text.includes(word), `${path}: ${text}`)
  if (/\.(next\.\d+|command)$/.test(path)) return
  if (path.endsWith('.url')) {
    assert.ok(text.startsWith(`${baseUrl}/`) && /^[\w/-]*$/.test(text.slice(baseUrl.length)), `${path}: ${text}`)
    return
  }
  assert.ok(
    plain.some((pattern) => pattern.test(text)),
    `${path}: ${text}`,
  )
}

function checkTexts(value: unknown, path: string, field: string): void {
  if (value === null) return
  if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      checkTexts(inner, `${path}.${key}`, /^\d+$/.test(key) ? field : key)
    }
    return
  }
  assert.ok(typeof value === 'string', `${path} is a text`)
  assert.doesNotMatch(value, hidden, path)
  assert.ok(value.isWellFormed(), path)
  // `read_text` gives up to 8,000 characters of a text.
  const most = path === 'answer.untrusted.text' ? 8000 : prose.has(field) ? 4000 : 300
  assert.ok(value.length <= most, `${path} has ${value.length} characters`)
}

/** The places of cut texts in an answer. */
export function listCuts(answer: unknown): { field: string; ref: string; characters: number }[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([key, value]) => (key === 'more' ? value : listCuts(value)))
}
