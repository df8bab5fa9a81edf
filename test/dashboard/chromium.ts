import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { followRequests } from './requests-of-page.ts'

/** Debian's Chromium. Without it the tests are skipped. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** `FAIRLEAD_TEST_SLOW=300,6` delays answers by 300 ms and runs scripts 6 times slower, to find races. */
const [delay = 0, throttle = 1] = (process.env.FAIRLEAD_TEST_SLOW ?? '').split(',').map(Number)

export const skip = existsSync(executablePath) ? false : `needs ${executablePath}`

export interface Network {
  latencyMs: number
  bytesPerSecond: number
}

/** A weak mobile connection, on which the dashboard must still be useful. */
export const slowNetwork: Network = { latencyMs: 400, bytesPerSecond: 50_000 }

/** Resolves to this machine, but is no secure context, like most first trials in a local network. */
export const insecureHost = 'fairlead.test'

export interface Chromium extends AsyncDisposable {
  /** Opens a page in a browser profile of its own, as on another device. */
  openPage(options?: BrowserContextOptions & { network?: Network }): Promise<Page>
  /** Fails if a page logged an error, violated the content security policy or sent a request to another host. */
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
      `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`,
    ],
  })
  const complaints: string[] = []
  return {
    async openPage({ network, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      // It only ends what hangs: on a busy machine, a page takes many times as long as on a quiet one.
      context.setDefaultTimeout(60_000)
      const page = await context.newPage()
      watch(page, complaints)
      followRequests(page)
      if (network) await slowDown(page, { ...network, cpuRate: 1 })
      else if (process.env.FAIRLEAD_TEST_SLOW !== undefined) {
        await slowDown(page, { latencyMs: delay, bytesPerSecond: -1, cpuRate: throttle })
      }
      return page
    },
    checkComplaints: () => assert.deepEqual(complaints, []),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

async function slowDown(page: Page, { latencyMs, bytesPerSecond, cpuRate }: Network & { cpuRate: number }) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuRate })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
}

function watch(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    // The browser logs every failed request, also those that the page handles.
    const isNote = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isNote) complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    const isOwn = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === insecureHost
    if (protocol.startsWith('http') && !isOwn) complaints.push(`${page.url()} asked ${request.url()}`)
  })
}

interface DroppedFile {
  name: string
  content: Buffer
}

/** Drops a file on a part of a page, as from a file manager. */
export function dropFile(page: Page, selector: string, file: DroppedFile): Promise<void> {
  return dropFiles(page, selector, [file])
}

/** Drops several files at once. */
export async function dropFiles(page: Page, selector: string, files: DroppedFile[]): Promise<void> {
  const transfer = await page.evaluateHandle(
    (given) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- runs in a page; the types of Node lack the DOM
      const { DataTransfer } = globalThis as unknown as {
        DataTransfer: new () => { items: { add(file: File): void } }
      }
      const transfer = new DataTransfer()
      for (const { name, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        transfer.items.add(new File([bytes], name))
      }
      return transfer
    },
    files.map(({ name, content }) => ({ name, base64: content.toString('base64') })),
  )
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent(selector, type, { dataTransfer: transfer })
  }
}
