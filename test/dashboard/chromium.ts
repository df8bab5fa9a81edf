import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Debian's Chromium. Without it, these tests are skipped. */
const executablePath = process.env.FAIRLEAD_TEST_CHROMIUM ?? '/usr/bin/chromium'

/** `FAIRLEAD_TEST_SLOW=300,6` delays answers by 300 ms and slows scripts down by a factor of 6, to reveal races. */
const [delay = 0, throttle = 1] = (process.env.FAIRLEAD_TEST_SLOW ?? '').split(',').map(Number)

export const skip = existsSync(executablePath) ? false : `needs ${executablePath}`

export interface Chromium extends AsyncDisposable {
  /** Opens a page in a new profile, as on another device. */
  openPage(options?: BrowserContextOptions): Promise<Page>
  /** Fails when a page logged an error, violated the Content Security Policy or contacted another host. */
  checkComplaints(): void
}

export async function startChromium(): Promise<Chromium> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  const complaints: string[] = []
  return {
    async openPage(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      context.setDefaultTimeout(10_000)
      const page = await context.newPage()
      watch(page, complaints)
      if (process.env.FAIRLEAD_TEST_SLOW !== undefined) await slowDown(page)
      return page
    },
    checkComplaints: () => assert.deepEqual(complaints, []),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: delay,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
}

function watch(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    // The browser logs every failed request, but the page handles those itself.
    const isNote = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isNote) complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    const isOwn = hostname === 'localhost' || hostname === '127.0.0.1'
    if (protocol.startsWith('http') && !isOwn) complaints.push(`${page.url()} asked ${request.url()}`)
  })
}

/** Drops a file on an element, as from a file manager. */
export async function dropFile(page: Page, selector: string, file: { name: string; content: Buffer }): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ name, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      // The browser's class, which Node's types do not contain.
      const { DataTransfer } = globalThis as unknown as {
        DataTransfer: new () => { items: { add(file: File): void } }
      }
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], name))
      return transfer
    },
    { name: file.name, base64: file.content.toString('base64') },
  )
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent(selector, type, { dataTransfer: transfer })
  }
}
