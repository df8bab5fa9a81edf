import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCycle } from '../refuse-cycles.ts'

describe('files of the dashboard that import each other', () => {
  it('are found with their path, wherever it is entered', () => {
    const imports = new Map([
      ['app.js', ['forms.js', 'shared.js']],
      ['forms.js', ['shared.js']],
      ['shared.js', ['widgets.js']],
      ['widgets.js', ['forms.js']],
    ])
    assert.deepEqual(findCycle(imports), ['forms.js', 'shared.js', 'widgets.js', 'forms.js'])
  })

  it('are not found where two files import the same one', () => {
    const imports = new Map([
      ['app.js', ['forms.js', 'shared.js']],
      ['forms.js', ['shared.js', 'library.js']],
      ['shared.js', ['library.js']],
    ])
    assert.equal(findCycle(imports), undefined)
  })
})
