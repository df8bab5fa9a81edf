import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { openProcessFolder } from './process-folder.ts'

describe('The folder of a process', () => {
  const inParent = async (test: (parent: string) => Promise<void>) => {
    const parent = await mkdtemp(join(tmpdir(), 'fairlead-folders-'))
    try {
      await test(parent)
    } finally {
      await rm(parent, { recursive: true })
    }
  }

  it('is not deleted by another process that starts, but when it is closed', () =>
    inParent(async (parent) => {
      const first = await openProcessFolder(parent, false)
      await writeFile(join(first.path, 'upload'), 'bytes')
      const second = await openProcessFolder(parent, false)
      assert.deepEqual(await readdir(first.path), ['upload'])
      await second[Symbol.asyncDispose]()
      assert.deepEqual(await readdir(parent), [basename(first.path)])
      await first[Symbol.asyncDispose]()
    }))

  it('is deleted by the next start when its process has not updated its time for an hour', () =>
    inParent(async (parent) => {
      const dead = join(parent, 'dead')
      await mkdir(dead)
      await writeFile(join(dead, 'upload'), 'bytes')
      const longAgo = new Date(Date.now() - 61 * 60_000)
      await utimes(dead, longAgo, longAgo)
      await using folder = await openProcessFolder(parent, false)
      assert.deepEqual(await readdir(parent), [basename(folder.path)])
    }))

  it('replaces all others when no other process can be running', () =>
    inParent(async (parent) => {
      await mkdir(join(parent, 'left-behind'))
      await using folder = await openProcessFolder(parent, true)
      assert.deepEqual(await readdir(parent), [basename(folder.path)])
    }))
})
