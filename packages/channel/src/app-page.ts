/**
 * Entry point for an app in a web page. `xpcService` is undefined unless a test attached to the page before it loaded.
 */
import { AppService } from './app-service.ts'
import { setTimer } from './host-clock.ts'
import { openMailboxLink } from './page/mailbox-link.ts'
import { mailboxName, type Mailbox } from './page/mailbox.ts'
import { createPermissionResponders } from './page/permission-responders.ts'
import { Peer } from './peer/peer.ts'

/** The parts of a page that are used, declared here because the DOM types are not available. */
interface PageScope {
  [mailboxName]?: Mailbox
  document: { readyState: string; addEventListener(event: string, listener: () => void): void }
  navigator: { permissions?: { query(descriptor: { name: string }): Promise<{ state: string }> } }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a page has these, and the DOM types are not loaded
export const xpcService: AppService | undefined = openPageChannel(globalThis as unknown as PageScope)

function openPageChannel(scope: PageScope): AppService | undefined {
  const mailbox = scope[mailboxName]
  if (!mailbox) return undefined
  const peer = new Peer()
  const service = new AppService(peer, (becomeReady) => {
    // Scripts that have not run yet may register handlers too.
    if (scope.document.readyState === 'complete') setTimer(becomeReady, 0)
    else scope.document.addEventListener('DOMContentLoaded', becomeReady)
    scope.document.addEventListener('readystatechange', () => {
      if (scope.document.readyState === 'complete') becomeReady()
    })
  })
  service.answerAuthorization(createPermissionResponders(scope.navigator.permissions))
  peer.open(openMailboxLink(mailbox, peer), { runtime: 'page' })
  return service
}

export { XPCError, type XPCErrorCode } from './xpc-error.ts'
export { defineMessages } from './catalogue.ts'
export type { AppService } from './app-service.ts'
export type { AuthorizationResponders } from './authorization.ts'
export type { Decoded, Descriptor, Encoded, StandardSchema } from './descriptor.ts'
export type { MessageContext } from './peer/message-context.ts'
export type { Result, SendAsyncOptions, SendOptions } from './service-verbs.ts'
export type { XPCService } from './xpc-service.ts'
