/** Runs and measures one task in its own process, so that its memory can be measured, and prints JSON. */
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { openMapping, retraceStream } from '../src/index.ts'
import { buildMappingIndex } from '../src/android/index/build-mapping-index.ts'
import { retraceText } from '../src/android/retrace/retrace.ts'

const [work = '', mapping = '', index = '', trace = '', output = ''] = process.argv.slice(2)

const works: Record<string, () => Promise<void> | void> = {
  index: async () => {
    await buildMappingIndex(mapping, index)
  },
  trace: () => {
    using opened = openMapping(index)
    retraceText(readFileSync(trace, 'utf8'), opened)
  },
  stream: async () => {
    using opened = openMapping(index)
    // The buffers are large enough that reading, restoring and writing overlap.
    const written = createWriteStream(output, { highWaterMark: 1024 * 1024 })
    for await (const text of retraceStream(createReadStream(trace, { highWaterMark: 256 * 1024 }), opened)) {
      if (!written.write(text)) await once(written, 'drain')
    }
    written.end()
    await once(written, 'finish')
  },
}

/** Reads a memory figure of the kernel in kilobytes: `VmRSS` is the current memory, `VmHWM` its peak. */
function readMemory(field: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${field}:\\s*(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}

const base = readMemory('VmRSS')
const started = performance.now()
const startedProcessor = process.cpuUsage()
await works[work]?.()
const milliseconds = performance.now() - started
const { user, system } = process.cpuUsage(startedProcessor)
const processor = (user + system) / 1000
console.log(JSON.stringify({ milliseconds, processor, kilobytes: readMemory('VmHWM') - base }))
