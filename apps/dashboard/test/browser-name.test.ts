import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeBrowser } from '../src/account/browser-name.ts'

it('names a browser with its system by its User-Agent header', () => {
  const mozilla = 'Mozilla/5.0'
  for (const [userAgent, name] of [
    [`${mozilla} (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0`, 'Firefox on Windows'],
    [`${mozilla} (Linux; Android 15) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [`${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1`, 'Safari on iPhone'],
    [`${mozilla} (Macintosh; Intel Mac OS X 10_15_7) Chrome/150.0 Safari/537.36 Edg/150.0`, 'Edge on macOS'],
    ['curl/8.0', 'curl/8.0'],
    [null, 'Unknown browser'],
  ] as const) {
    assert.equal(describeBrowser(userAgent), name)
  }
})
