import type { Link, LinkEvents } from '../peer/link.ts'
import { packFrame, unpackFrame, type Mailbox } from './mailbox.ts'

/**
 * Creates the page's end. Sent frames go into the mailbox, which passes them to the test at the end of the running
 * task.
 */
export function openMailboxLink(mailbox: Mailbox, events: LinkEvents): Link {
  mailbox.onFrame = (frame) => events.receive(unpackFrame(frame))
  return {
    send: (frame) => mailbox.send(packFrame(frame)),
    flush() {},
    flushSoon() {},
    async drained() {},
    setRef() {},
    close() {
      mailbox.onFrame = undefined
    },
  }
}
