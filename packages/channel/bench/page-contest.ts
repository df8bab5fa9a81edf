import { attachPage } from '@fairlead/channel/playwright'
import { launchBrowser, origin, servePage } from '../test/web-page.ts'
import { createContent, time, type Contest } from './contenders.ts'

const script = `
  import { xpcService } from '/src/app-page.ts'
  xpcService?.on('echo', { decoding: Object, encoding: Object }, (content) => content)
`

/** Compares the channel to a page in Chromium, over both of its transports, with a bare `page.evaluate`. */
export async function openPageContest(): Promise<Contest> {
  const browser = await launchBrowser()
  const content = createContent(100)
  const open = async (transport: 'auto' | 'binding') => {
    const page = await browser.newPage()
    await servePage(page, script)
    const app = await attachPage(page, { transport })
    await page.goto(origin)
    return { page, app }
  }
  const { page, app: binding } = await open('binding')
  const { app: cdp } = await open('auto')
  const decoding = Object
  return {
    contenders: {
      'page.evaluate': (rounds) => time(rounds, () => page.evaluate((echoed) => echoed, content)),
      'sendAsync, binding': (rounds) => time(rounds, () => binding.xpcService.sendAsync('echo', content, { decoding })),
      'sendAsync, CDP': (rounds) => time(rounds, () => cdp.xpcService.sendAsync('echo', content, { decoding })),
    },
    close: () => browser.close(),
  }
}
