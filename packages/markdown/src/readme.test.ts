import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { renderMarkdown } from '@fairlead/markdown'

it('runs the example of the README with the documented result', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, text, html] = /renderMarkdown\('(.*)'\)\n\/\/ (.*)/.exec(readme) ?? []
  assert.ok(text)
  assert.equal(renderMarkdown(text), `${html}\n`)
})
