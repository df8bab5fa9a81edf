/** Measures the CPU time of reading one crash, in this process, beside JSON.parse and SHA-256 of the same event. */
import { createHash } from 'node:crypto'
import { prepareDelivery } from '../packages/crashes/src/worker/prepare-delivery.ts'
import { createEnvelope } from './crash-envelope.ts'
import { printTable, takeTurns } from './measure.ts'

const { gzip, event } = createEnvelope(0)
const text = Buffer.from(JSON.stringify(event))
const secret = Buffer.alloc(32)

/** Measures the CPU time of one call in milliseconds. */
async function measureCpu(work: () => Promise<unknown> | void, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}

function readCrash(): Promise<unknown> {
  const options = { sourceId: '0'.repeat(32) }
  return prepareDelivery(
    { body: gzip, encoding: 'gzip', protocol: 'envelope', options },
    { installSecret: secret, keepsCustomData: false },
  )
}

function parseAndHash(): void {
  JSON.parse(text.toString())
  createHash('sha256').update(text).digest()
}

// A server reads crashes for days, so both are compiled before they are measured.
await measureCpu(readCrash, 1000)
await measureCpu(parseAndHash, 1000)
const costs = await takeTurns(21, {
  read: () => measureCpu(readCrash, 100),
  peer: () => measureCpu(parseAndHash, 300),
})
printTable(
  ['work', 'Fairlead', 'compared with', 'ratio', 'wanted'],
  [
    [
      `read a crash of ${Math.round(text.length / 1000)} kB`,
      `${costs.read.toFixed(2)} ms`,
      `JSON.parse and SHA-256, ${costs.peer.toFixed(2)} ms`,
      (costs.read / costs.peer).toFixed(2),
      '≤ 3',
    ],
  ],
)
