import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { requireAddress } from '../apps/server/src/http/listening-address.ts'
import { call } from '../apps/server/src/testing/call-server.ts'
import { openTemporaryFolder, startServerProcess, token } from './processes/server-process.ts'

const openssl = (...args: string[]) => promisify(execFile)('openssl', args)

it('delivers to a receiver with a certificate of an own authority if NODE_EXTRA_CA_CERTS names it', async () => {
  await using folder = await openTemporaryFolder()
  const path = (name: string) => join(folder.path, name)
  await makeCertificates(path)
  const received: string[] = []
  const receiver = createServer({ key: await readFile(path('key.pem')), cert: await readFile(path('cert.pem')) })
  receiver.on('request', (request, response) => {
    received.push(String(request.headers['webhook-id']))
    request.resume().once('end', () => response.end())
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = requireAddress(receiver)
  const env = { FAIRLEAD_HOOKS_ALLOW: `localhost:${port}`, FAIRLEAD_HOOK_RETRY_SECONDS: '0.1' }
  const options = { dataDir: path('data'), env }
  try {
    {
      await using server = await startServerProcess(options)
      const json = { name: 'Inside', url: `https://localhost:${port}/`, events: ['*'] }
      assert.equal((await call(server.url, 'POST', '/v1/hooks', { token, json })).status, 201)
      assert.deepEqual(await testHook(server.url), ['failed', 'tls'])
      assert.deepEqual(received, [])
    }
    await using server = await startServerProcess({
      ...options,
      env: { ...env, NODE_EXTRA_CA_CERTS: path('authority.pem') },
    })
    assert.deepEqual(await testHook(server.url), ['succeeded', null])
    assert.equal(received.length, 1)
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
})

/** Sends a test to the hook, and returns how its delivery ended. */
async function testHook(url: string): Promise<[string, string | null]> {
  const sent = await call(url, 'POST', '/v1/hooks/1/test', { token })
  assert.equal(sent.status, 202, sent.text)
  for (let waited = 0; waited < 600; waited++) {
    const { json } = await call(url, 'GET', `/v1/hookDeliveries/${sent.json.id}`, { token })
    if (json.state !== 'waiting') return [json.state, json.lastError]
    await setTimeout(50)
  }
  throw new Error('the delivery does not end')
}

/** Makes an authority, and a certificate of it for localhost. */
async function makeCertificates(path: (name: string) => string): Promise<void> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const own = ['-keyout', path('authority-key.pem'), '-out', path('authority.pem')]
  await openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=Own authority', ...own)
  const request = ['req', ...key, '-subj', '/CN=localhost', '-keyout', path('key.pem'), '-out', path('request.pem')]
  await openssl(...request)
  await writeFile(path('names'), 'subjectAltName=DNS:localhost\n')
  const signer = ['-CA', path('authority.pem'), '-CAkey', path('authority-key.pem'), '-CAcreateserial']
  const names = ['-days', '2', '-extfile', path('names')]
  await openssl('x509', '-req', '-in', path('request.pem'), ...names, ...signer, '-out', path('cert.pem'))
}
