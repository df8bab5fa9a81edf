/**
 * The peer of the bench of hooks: posts so many small bodies to a port, 32 at once, each over a connection of its own,
 * and prints how long that took in milliseconds.
 */
import { request } from 'node:http'

const [port = 0, count = 0] = process.argv.slice(2).map(Number)
const body = JSON.stringify({ type: 'hook.test', data: { text: 'x'.repeat(250) } })
let left = count

async function work(): Promise<void> {
  while (left-- > 0) await send()
}

function send(): Promise<void> {
  return new Promise((done, fail) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request({ port, method: 'POST', agent: false, headers }, (answer) => answer.resume().once('end', done))
    sent.once('error', fail).end(body)
  })
}

const began = performance.now()
await Promise.all(Array.from({ length: 32 }, work))
console.log(performance.now() - began)
