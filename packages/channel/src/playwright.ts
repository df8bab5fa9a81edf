/** Entry point for testing a web page with Playwright, over the browser's automation pipe and without a port. */
import { ambient } from './node/ambient.ts'
import { setHostImmediate } from './node/immediate.ts'
import { openBinding, openCdp, type PlaywrightPage } from './page/automation.ts'
import { bindingName, installMailbox, mailboxName } from './page/mailbox.ts'
import { PageApp } from './page/page-app.ts'
import { PageLink } from './page/page-link.ts'
import { Peer } from './peer/peer.ts'
import { XPCService } from './xpc-service.ts'

export interface AttachOptions {
  /** `auto` uses a CDP session if the browser supports it; `binding` uses only what every browser supports. */
  readonly transport?: 'auto' | 'binding' | undefined
}

/**
 * Opens the channel to a page before it loads. Requests wait until a document has loaded `@fairlead/channel/app`. If
 * the page navigates, pending requests fail with `connectionLost`.
 */
export async function attachPage(page: PlaywrightPage, options: AttachOptions = {}): Promise<PageApp> {
  const peer = new Peer({}, ambient)
  const xpcService = new XPCService(peer)
  const link = new PageLink(peer, { runtime: 'playwright' })
  peer.attach(link)
  const onEnvelope = (envelope: string) => link.receive(envelope)
  const cdp = options.transport === 'binding' ? undefined : await openCdp(page, mailboxName, bindingName, onEnvelope)
  link.start(cdp ?? (await openBinding(page, mailboxName, bindingName, onEnvelope)))
  await page.addInitScript(installMailbox, [mailboxName, bindingName])
  const onClose = () => peer.lose('connectionLost', 'the page was closed')
  const onCrash = () => peer.lose('connectionLost', 'the page has crashed')
  page.on('close', onClose)
  page.on('crash', onCrash)
  setHostImmediate(() => peer.becomeReady())
  return new PageApp(xpcService, () => {
    page.off('close', onClose)
    page.off('crash', onCrash)
    peer.close()
  })
}

export type { PlaywrightPage } from './page/automation.ts'
export { PageApp } from './page/page-app.ts'
export { XPCError, type XPCErrorCode } from './xpc-error.ts'
