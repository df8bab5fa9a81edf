/** Data of the app's own is read from every protocol that has a place for it. Applications say whether it is kept. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readAcraReport } from './acra/read-report.ts'
import { readLogs } from './app-center/read-logs.ts'

it('data of the app is read from properties of App Center and from custom data of ACRA', () => {
  const log = { type: 'handledError', id: 'a', exception: { type: 'E' }, properties: { step: '4' } }
  const [appCenter] = readLogs(Buffer.from(JSON.stringify({ logs: [log] })), { installId: null }).crashes
  assert.deepEqual(appCenter?.customData, { properties: { step: '4' } })
  const expected = { CUSTOM_DATA: { step: '4', cart: '{"items":3}' } }
  const data = { step: 4, cart: { items: 3 } }
  const report = { REPORT_ID: 'a', CUSTOM_DATA: data }
  for (const [body, type] of [
    [JSON.stringify(report), 'application/json'],
    [`REPORT_ID=a&CUSTOM_DATA=${encodeURIComponent(JSON.stringify(data))}`, 'application/x-www-form-urlencoded'],
    ['REPORT_ID=a&CUSTOM_DATA=step+%3D+4%0Acart%3D%7B%22items%22%3A3%7D%0A', 'application/x-www-form-urlencoded'],
  ] as const) {
    assert.deepEqual(readAcraReport(Buffer.from(body), type).crashes[0]?.customData, expected)
  }
  for (const damaged of ['{', '7', '[]', 'no pairs']) {
    const [crash] = readAcraReport(Buffer.from(`REPORT_ID=a&CUSTOM_DATA=${damaged}`), '').crashes
    assert.deepEqual(crash?.customData, {})
  }
})
