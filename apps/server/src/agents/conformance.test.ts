/** The scenarios of the protocol's own conformance suite that need no tools of its own. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from '../testing/start-server.ts'
import { startTokenProxy } from '../testing/token-proxy.ts'

const command = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))

describe('the conformance suite of the protocol', async () => {
  const proxy = await startTokenProxy()
  // The suite sends the name and the origin that it calls, as a browser would.
  const server = await startServer({ FAIRLEAD_BASE_URL: proxy.url })
  proxy.target = server
  after(async () => {
    await server[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })

  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
    it(`passes ${scenario}`, async () => {
      const parameters = [command, 'server', '--url', `${proxy.url}/mcp`, '--scenario', scenario, '--verbose']
      const { stdout } = await promisify(execFile)(process.execPath, parameters)
      assert.match(stdout, /"status": "SUCCESS"/)
      assert.doesNotMatch(stdout, /"status": "(FAILURE|WARNING)"/)
    })
  }
})
