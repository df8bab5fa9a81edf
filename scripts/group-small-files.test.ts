import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { groupSmallFiles } from './group-small-files.ts'

const name = (number: number, workspace = 'apps/server') => `${workspace}/src/file-${number}.test.ts`
const many = Array.from({ length: 40 }, (_, number) => name(number))

describe('small test files', () => {
  it('share processes, each file once and few enough in one', () => {
    const groups = groupSmallFiles(many, () => 1)
    assert.deepEqual(groups.flat().toSorted(), many.toSorted())
    assert.ok(groups.length > 1 && groups.every((group) => group.length <= 16), JSON.stringify(groups))
  })

  it('share fewer processes the less time they take, and groups take about the same time', () => {
    const secondsOf = (file: string) => (/-\d\.test/.test(file) ? 24 : 2)
    const groups = groupSmallFiles(many, secondsOf)
    assert.ok(groups.length > groupSmallFiles(many, () => 2).length)
    const times = groups.map((group) => group.reduce((sum, file) => sum + secondsOf(file), 0))
    assert.ok(Math.max(...times) <= 104 && Math.min(...times) >= 48, times.join())
  })

  it('share them only within a workspace, and never with a long file', () => {
    const files = [name(1), name(2), name(1, 'packages/binary'), name(3), 'test/moving.test.ts', 'test/hold-up.test.ts']
    const groups = groupSmallFiles(files, (file) => (file === name(3) ? 60 : 2))
    assert.deepEqual(groups.map((group) => group.toSorted()).toSorted((a, b) => b.length - a.length)[0], [
      name(1),
      name(2),
    ])
    assert.equal(groups.length, 5)
  })
})
