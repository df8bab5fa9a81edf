/** An app that logs to a file what happens to it, so that a test can check it after the app's own test is gone. */
import { appendFileSync } from 'node:fs'
import { xpcService } from '@fairlead/channel/app'

const log = process.env['ORPHAN_LOG'] ?? ''
const say = (line: string) => appendFileSync(log, `${line}\n`)

xpcService?.on('block', { decoding: Number }, async (time, { signal }) => {
  say('blocking')
  signal.addEventListener('abort', () => say('aborted'))
  await new Promise((resolve) => setTimeout(resolve, time))
})
process.on('exit', (code) => say(`exit ${code}`))
let ticks = 0
setInterval(() => {
  say('tick')
  if (++ticks > 100) process.exit(3)
}, 50)
