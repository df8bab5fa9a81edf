import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { requireAddress } from '../http/listening-address.ts'

export interface ReceivedDelivery {
  headers: IncomingHttpHeaders
  text: string
  /** The body as JSON, untyped like for any receiver; tests assert its shape. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
  receivedAt: number
}

export interface HookReceiver extends AsyncDisposable {
  url: string
  host: string
  deliveries: ReceivedDelivery[]
  /** Answers in another way from now on; undefined for 200. */
  answerWith(answer: ((response: ServerResponse) => void) | undefined): void
  /** Waits up to twenty seconds for a delivery. */
  waitFor(isWanted: (delivery: ReceivedDelivery) => boolean, count?: number): Promise<ReceivedDelivery>
}

/** Starts a receiver of hooks on a loopback socket. */
export async function startHookReceiver(): Promise<HookReceiver> {
  const deliveries: ReceivedDelivery[] = []
  let respond: ((response: ServerResponse) => void) | undefined
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const text = bytes.toString('utf8')
      deliveries.push({ headers: request.headers, text, json: JSON.parse(text), receivedAt: Date.now() })
      if (respond) respond(response)
      else response.end('thanks')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${requireAddress(server).port}`
  return {
    url: `http://${host}/`,
    host,
    deliveries,
    answerWith(answer) {
      respond = answer
    },
    async waitFor(isWanted, count = 1) {
      for (let waited = 0; waited < 400; waited++) {
        const found = deliveries.filter(isWanted)
        const last = found[count - 1]
        if (last) return last
        await sleep(50)
      }
      throw new Error(`the delivery did not come; these did: ${deliveries.map(({ text }) => text).join('\n')}`)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Verifies a delivery as receivers do, with the library of Standard Webhooks. */
export function verify(secret: string, { text, headers }: ReceivedDelivery): void {
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  )
  assert.deepEqual(new Webhook(secret).verify(text, signed), JSON.parse(text))
}
