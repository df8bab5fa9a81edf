import type { Link, LinkEvents } from '../peer/link.ts'
import { packFrame, unpackFrame, type Mailbox } from './mailbox.ts'

/** The page's end: what is sent goes into the mailbox, which hands it to the test when the running task ends. */
export function openMailboxLink(mailbox: Mailbox, events: LinkEvents): Link {
  mailbox.onFrame = (frame) => events.receive(unpackFrame(frame))
  return {
    send: (...frame) => mailbox.send(packFrame(...frame)),
    flush() {},
    flushSoon() {},
    async drained() {},
    setRef() {},
    close() {
      mailbox.onFrame = undefined
    },
  }
}
