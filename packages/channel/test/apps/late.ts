/** An app whose handlers are registered only some time after it was loaded. */
import { setTimeout as sleep } from 'node:timers/promises'
import { xpcService } from '@fairlead/channel/app'

const seen: string[] = []

async function start(): Promise<void> {
  await sleep(150)
  xpcService?.on('seen', { encoding: [String] }, () => seen)
  xpcService?.on('note', { decoding: String }, (text) => {
    seen.push(text)
  })
}

// Something that the test may not have a handler for yet, in the moment of its launch.
xpcService?.post('launching', process.argv[2])
xpcService?.readyAfter(start())
