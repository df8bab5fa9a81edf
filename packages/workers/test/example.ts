import { createPool } from '@fairlead/workers'

await using pool = createPool<string, number>(new URL('example-worker.ts', import.meta.url), {
  timeoutMs: 60_000,
  maxMemoryMb: 64,
  maxQueued: 100,
  maxQueuedPerKey: 25,
  toError: ({ code, cause }) => new Error(`The text was not read: ${code}.`, { cause }),
})
for (const text of ['[1,2,3]', `[${'[],'.repeat(4e6)}[]]`, '[]']) {
  try {
    console.log(await pool.ask(text, { turnKey: 'workspace 1' }))
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
  }
}
