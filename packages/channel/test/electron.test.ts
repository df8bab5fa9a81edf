import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElectronResponders } from '@fairlead/channel/electron'

test('an Electron app answers only the media statuses that its system reports (with a fake Electron)', () => {
  const known: Record<string, string> = { camera: 'granted', microphone: 'not-determined' }
  const responders = createElectronResponders({ getMediaAccessStatus: (type) => known[type] ?? 'unknown' })
  assert.deepEqual(Object.keys(responders), ['media'])
  assert.equal(responders.media?.('video'), 'authorized')
  assert.equal(responders.media?.('audio'), 'notDetermined')
  known['camera'] = 'restricted'
  known['microphone'] = 'unknown'
  assert.equal(responders.media?.('video'), 'restricted')
  assert.equal(responders.media?.('audio'), 'unavailable')
  assert.equal(createElectronResponders({}).media?.('video'), 'unavailable')
})
