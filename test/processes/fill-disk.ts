import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'

/** Fills the disk to the last byte by one file, as another program on the machine might do. */
export function fillDisk(path: string): void {
  const other = openSync(path, 'w')
  for (let size = 2 ** 20; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeSync(other, randomBytes(size))
    } catch (error) {
      assert.ok(error instanceof Error && 'code' in error && error.code === 'ENOSPC', String(error))
    }
  }
  closeSync(other)
}
