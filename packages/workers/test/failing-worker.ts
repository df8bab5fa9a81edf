/** A worker of tests: it gives a request back, or fails in the way that the request names. */
import { answerRequests } from '@fairlead/workers'

const never = new Promise(() => {})

/** Ways to fill the heap. They differ in what V8 allocates last, which decides how a thread would have failed. */
const fill: Record<string, () => unknown> = {
  objects: () => fillForever(() => ({})),
  arrays: () => fillForever(() => Array.from({ length: 1000 }, () => 1.5)),
  numbers: () => fillForever((index) => index + 0.5),
  map: () => {
    for (const held = new Map<number, object>(); ;) held.set(held.size, {})
  },
  lines: () => 'a\n'.repeat(2e7).split('\n'),
  json: () => fillForever(() => JSON.parse(`[${'{},'.repeat(4e6)}{}]`)),
}

function fillForever(create: (index: number) => unknown): never {
  for (const held: unknown[] = []; ;) held.push(create(held.length))
}

function useProcessor(ms: number): void {
  const now = () => process.cpuUsage().user + process.cpuUsage().system
  for (const end = now() + ms * 1000; now() < end;);
}

answerRequests(async (request: string) => {
  if (request === 'throw') throw new RangeError('broken')
  if (request === 'exit') process.exit(0)
  if (request === 'loop') for (;;);
  if (request === 'work') useProcessor(200)
  if (request === 'environment') return Object.keys(process.env)
  fill[request]?.()
  return request === 'wait' ? never : request
})
