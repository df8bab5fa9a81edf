import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeApk, writeIpa } from '../src/fixture/fixture.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

test('the example in the README matches this file and prints the expected output', () => {
  using folder = openTemporaryFolder()
  const path = join(import.meta.dirname, 'example.ts')
  assert.ok(readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8').includes(readFileSync(path, 'utf8')))
  const builds = [
    folder.write('a.apk', writeApk({ label: 'Shop', versionName: '1.2', versionCode: 34 })),
    folder.write('b.ipa', writeIpa({ name: 'Shop', profile: { type: 'ad-hoc' } })),
    folder.write('c.apk', Buffer.from('nothing')),
  ]
  const { stdout, stderr } = spawnSync(process.execPath, [path, ...builds], { encoding: 'utf8' })
  assert.equal(stderr, '')
  assert.equal(
    stdout,
    'Shop 1.2 (34) for android 24 and later\n  verified\nShop 1.0 (1) for ios 16.0 and later\n  ad-hoc\n' +
      'not-a-zip: The file is not a zip archive. It has no end-of-central-directory record.\n',
  )
})
