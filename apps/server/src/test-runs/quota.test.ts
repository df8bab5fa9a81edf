import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startServer } from '../testing/start-server.ts'
import { sendReport, writeJunit } from '../testing/test-reports.ts'
import { createApplication } from '../testing/upload.ts'

it('counts test reports and their attachments against the byte quota of a workspace', async () => {
  await using server = await startServer({ FAIRLEAD_WORKSPACE_MAX_BYTES: '6000' })
  const { id } = await createApplication(server, 'shop')
  const large = `<testsuite name="${'x'.repeat(900)}">${' '.repeat(3000)}<testcase name="a"/></testsuite>`
  assert.equal((await sendReport(server, large)).status, 201)
  const refused = await sendReport(server, large.replace('"a"', '"b"'))
  assert.equal(refused.status, 422)
  assert.match(refused.json.detail, /quota of 6000 bytes/)
  const data = Buffer.alloc(2500, 'a').toString('base64')
  const attached = `<system-out>[[ATTACHMENT|data:text/plain;base64,${data}]]</system-out>`
  const withFile = `<testsuite name="s"><testcase name="a">${attached}</testcase></testsuite>`
  assert.equal((await sendReport(server, withFile)).status, 422)
  assert.equal((await server.call('GET', `/v1/applications/${id}/testRuns`)).json.length, 1)
  assert.equal((await sendReport(server, writeJunit([{ name: 'small' }]))).status, 201)
})
