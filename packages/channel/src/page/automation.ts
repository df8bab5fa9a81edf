/**
 * The part of Playwright's Page that is used. Any version that has it works, so the package does not depend on
 * Playwright.
 */
export interface PlaywrightPage {
  addInitScript(script: (argument: [string, string]) => void, argument: [string, string]): Promise<unknown>
  exposeFunction(name: string, callback: (envelope: string) => void): Promise<unknown>
  evaluate(script: (argument: [string, string, string]) => string, argument: [string, string, string]): Promise<string>
  isClosed(): boolean
  context(): { newCDPSession?: unknown }
  on(event: 'close' | 'crash', listener: () => void): unknown
  off(event: 'close' | 'crash', listener: () => void): unknown
}

interface CdpSession {
  send(method: string, parameters?: Record<string, unknown>): Promise<unknown>
  on(event: string, listener: (event: { name: string; payload: string }) => void): unknown
}

/** The two directions of the browser's automation pipe. */
export interface Automation {
  /** Runs `mailbox.deliver` in the page and resolves to the envelope that it returns. */
  deliver(epoch: string, frames: string): Promise<string>
}

/** Uses Playwright's own calls, which work in every browser. */
export async function openBinding(
  page: PlaywrightPage,
  mailboxName: string,
  bindingName: string,
  onEnvelope: (envelope: string) => void,
): Promise<Automation> {
  await page.exposeFunction(bindingName, onEnvelope)
  const script = ([name, epoch, frames]: [string, string, string]): string => {
    type Target = { deliver(epoch: string, frames: unknown): string } | undefined
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- runs in a page that `installMailbox` prepared
    const mailbox = (globalThis as unknown as Record<string, Target>)[name]
    return mailbox?.deliver(epoch, JSON.parse(frames)) ?? ''
  }
  return { deliver: (epoch, frames) => page.evaluate(script, [mailboxName, epoch, frames]) }
}

/** Uses a session of the Chrome DevTools Protocol over the same pipe; undefined in other browsers. */
export async function openCdp(
  page: PlaywrightPage,
  mailboxName: string,
  bindingName: string,
  onEnvelope: (envelope: string) => void,
): Promise<Automation | undefined> {
  let session: CdpSession
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- other browsers throw here, and that is caught
    const context = page.context() as { newCDPSession(page: PlaywrightPage): Promise<CdpSession> }
    session = await context.newCDPSession(page)
  } catch {
    return undefined
  }
  session.on('Runtime.bindingCalled', (event) => {
    if (event.name === bindingName) onEnvelope(event.payload)
  })
  await session.send('Runtime.enable')
  await session.send('Runtime.addBinding', { name: bindingName })
  return {
    async deliver(epoch, frames) {
      const expression = `${mailboxName}.deliver(${JSON.stringify(epoch)},${frames})`
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the Chrome DevTools Protocol says so
      const { result } = (await session.send('Runtime.evaluate', { expression })) as { result: { value?: unknown } }
      return typeof result.value === 'string' ? result.value : ''
    },
  }
}
