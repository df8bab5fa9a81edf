import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toRunLine } from '../src/test-runs/upload-line.ts'
import { listUploadWays } from '../src/getting-started/upload-lines.ts'

it('runs the command line by the file of the server or by a name that is ours, because CI gives it the token', () => {
  const baseUrl = 'https://builds.example.com'
  for (const cliUrl of [`${baseUrl}/cli/fairlead-0.1.0.tgz`, null]) {
    for (const platform of ['android', 'ios'] as const) {
      const application = { alias: 'shop', platform }
      const ways = listUploadWays({ application, baseUrl, cliUrl, token: null })
      for (const text of [...ways.map(({ lines }) => lines), toRunLine(application, baseUrl, cliUrl)]) {
        const words = text.replaceAll(/[",]/g, '').split(/\s+/)
        const start = words.findIndex((word) => word.endsWith('npx'))
        const called = words.slice(start + 1, start + 6)
        assert.deepEqual(called, ['--yes', '--package', cliUrl ?? '@fairlead/cli', '--', 'fairlead'], text)
      }
    }
  }
})
