/** An app that is too busy to read: it counts messages and blocks for a while between two reads. */
import { xpcService } from '@fairlead/channel/app'

let count = 0
let bytes = 0
let peak = 0
let order = 0
xpcService?.on('item', { decoding: Object }, (content) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test sends these
  const { index, text } = content as { index: number; text: string }
  if (index === order) order++
  count++
  bytes += text.length
  peak = Math.max(peak, count % 1000 === 0 ? process.memoryUsage().rss : 0)
  if (count % 20_000 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
})
xpcService?.on('sum', { encoding: Object }, () => ({ count, bytes, order, peak }))
xpcService?.on('sleep', { decoding: Number }, (time) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time)
})
