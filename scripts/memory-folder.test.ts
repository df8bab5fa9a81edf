import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openMemoryFolder } from './memory-folder.ts'

describe('the folder in memory for temporary files of tests', () => {
  let parent: string

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'fairlead-memory-folder-'))
  })
  afterEach(() => rmSync(parent, { recursive: true }))

  it('takes files of each user and is gone with its content afterwards', () => {
    {
      using folder = openMemoryFolder(parent, 0)
      assert.ok(folder)
      assert.equal(statSync(folder.path).mode & 0o7777, 0o1777)
      writeFileSync(join(folder.path, 'file'), 'content')
    }
    assert.deepEqual(readdirSync(parent), [])
  })

  it('is not there where too little memory is free', () => {
    assert.equal(openMemoryFolder(parent, Number.POSITIVE_INFINITY), undefined)
    assert.deepEqual(readdirSync(parent), [])
  })

  it('is not there on a system without such a file system', () => {
    assert.equal(openMemoryFolder(join(parent, 'missing'), 0), undefined)
  })

  it('removes what a killed run left, and nothing of a run that goes on', () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    mkdirSync(join(parent, `tests-in-memory-${pid}-ended`))
    mkdirSync(join(parent, `tests-in-memory-${process.ppid}-running`))
    mkdirSync(join(parent, 'of-another-program'))
    using folder = openMemoryFolder(parent, 0)
    assert.ok(folder)
    const names = readdirSync(parent).filter((name) => join(parent, name) !== folder.path)
    assert.deepEqual(names.toSorted(), ['of-another-program', `tests-in-memory-${process.ppid}-running`])
  })

  it('is there although a killed run left a mounted file system', (t) => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    const mounted = join(parent, `tests-in-memory-${pid}-ended`, 'mounted')
    mkdirSync(mounted, { recursive: true })
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'fairlead', mounted])
    if (status !== 0) return t.skip('only the superuser can mount a file system')
    try {
      const report = t.mock.method(console, 'error', () => {})
      using folder = openMemoryFolder(parent, 0)
      assert.ok(folder)
      assert.match(String(report.mock.calls[0]?.arguments[0]), /an earlier run left .*-ended, which cannot be removed/)
    } finally {
      spawnSync('umount', [mounted])
    }
  })
})
