import { Gauge, type Registry } from 'prom-client'
import type { AppContext } from '../context.ts'
import { serverVersion } from '../server-version.ts'
import { countBlobs, countWaitingJobs } from './store.ts'

/** Adds the numbers of waiting jobs, stored blobs and the like. They are read only when Prometheus scrapes. */
export function addGauges(registry: Registry, { db, readers }: Pick<AppContext, 'db' | 'readers'>): void {
  const add = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read())
      },
    })
  const build = new Gauge({
    name: 'fairlead_build_info',
    help: 'Always 1; its labels name the version of the server and of Node',
    labelNames: ['version', 'node'],
    registers: [registry],
  })
  build.set({ version: serverVersion, node: process.versions.node }, 1)
  add('fairlead_jobs_waiting', 'Jobs that are due and that nobody has claimed', async () => {
    return (await countWaitingJobs(db, Date.now())).count
  })
  add('fairlead_jobs_oldest_seconds', 'How long the job that has been due longest has waited', async () => {
    const now = Date.now()
    const { runAt } = await countWaitingJobs(db, now)
    return runAt === null ? 0 : Math.max(0, now - runAt) / 1000
  })
  const countStored = rememberByCost(() => countBlobs(db))
  add('fairlead_blobs', 'Builds, icons, symbols and lookup files that are stored, equal ones once', async () => {
    return (await countStored()).count
  })
  add('fairlead_blob_bytes', 'Bytes of all blobs', async () => (await countStored()).size)
  add('fairlead_crash_reports_waiting', 'Crash reports that wait for a worker process of this server', () => {
    return readers.crashes.waiting
  })
}

/** A remembered value is used for this many times as long as it took to read. */
const costFactor = 1000

/** Reads a value again only when that takes a thousandth of the time since it was read last. */
function rememberByCost<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let remembered: Promise<Value> | undefined
  let validUntil = 0
  return () => {
    if (remembered && performance.now() < validUntil) return remembered
    const started = performance.now()
    validUntil = Infinity
    const reading = read()
    remembered = reading
    reading.then(
      () => (validUntil = performance.now() + (performance.now() - started) * costFactor),
      () => (validUntil = 0),
    )
    return reading
  }
}
