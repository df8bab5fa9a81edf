/** An app that registers its handlers only some time after it was loaded. */
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

// The test may not have a handler for this message yet, at the moment of the launch.
xpcService?.post('launching', process.argv[2])
xpcService?.readyAfter(start())
