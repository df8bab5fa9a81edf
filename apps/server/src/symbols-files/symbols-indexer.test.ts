import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { askWhileStopped, canStopProcesses } from '@fairlead/workers/testing'
import { createSymbolsIndexer } from './symbols-indexer.ts'

describe('the indexer of symbols', () => {
  it(
    'does not give up on a machine so busy that its process is not run',
    { skip: !canStopProcesses },
    async (context) => {
      const folder = await mkdtemp(join(tmpdir(), 'fairlead-indexer-'))
      after(() => rm(folder, { recursive: true, force: true }))
      const path = join(folder, 'mapping.txt')
      const text = 'com.example.Shop -> a.a:\n    1:1:void pay():10:10 -> a\n'
      await writeFile(path, text)
      const caller = { workspaceId: 1, signal: new AbortController().signal }
      const file = { path, size: text.length }
      const index = () => createSymbolsIndexer().index(file, folder, caller)
      assert.equal((await askWhileStopped(context, 120_000, index)).kind, 'proguard')
      await assert.rejects(askWhileStopped(context, 300_000, index), { code: 'timeout' })
    },
  )
})
