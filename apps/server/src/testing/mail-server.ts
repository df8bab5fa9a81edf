import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { requireAddress } from '../http/listening-address.ts'

export interface ReceivedMail {
  recipients: string[]
  /** The message as received. */
  raw: string
  /** The message with quoted-printable decoded. */
  decoded: string
}

/** The greeting, or the acknowledgment of a message that has arrived. */
export type StalledStep = 'greeting' | 'data'

export interface MailServer extends AsyncDisposable {
  /** The value for `FAIRLEAD_SMTP_URL`. */
  url: string
  mails: ReceivedMail[]
  /** Refuses the next recipients with these SMTP reply codes. */
  refuseWith(...codes: number[]): void
  /** Stops answering at these steps of the next connections, one step for each connection. */
  stallAt(...steps: StalledStep[]): void
  /** Stops answering on all connections. */
  stallAlways(): void
  /** Returns the next mail for a recipient, waiting up to ten seconds. */
  waitForMail(recipient: string): Promise<ReceivedMail>
}

/** Starts a real SMTP server on a loopback socket. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const refusals: number[] = []
  const stalls: StalledStep[] = []
  let isStalled = false
  const takeStall = (step: StalledStep) => {
    if (stalls[0] !== step) return false
    stalls.shift()
    return true
  }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onConnect(_session, done) {
      if (!isStalled && !takeStall('greeting')) done()
    },
    onRcptTo(_address, _session, done) {
      const code = refusals.shift()
      done(code === undefined ? null : Object.assign(new Error('refused by the test'), { responseCode: code }))
    },
    onData(stream, session, done) {
      text(stream).then(
        (raw) => {
          if (takeStall('data')) return
          mails.push({ recipients: session.envelope.rcptTo.map(({ address }) => address), raw, decoded: decode(raw) })
          done(null)
        },
        (error: Error) => done(error),
      )
    },
  })
  // A client that dies within a mail is an error of the server, which nobody else would take.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = requireAddress(server.server)
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseWith: (...codes) => void refusals.push(...codes),
    stallAt: (...steps) => void stalls.push(...steps),
    stallAlways() {
      isStalled = true
    },
    async waitForMail(recipient) {
      for (let waited = 0; waited < 200; waited++) {
        const index = mails.findIndex(({ recipients }) => recipients.includes(recipient))
        const [mail] = index === -1 ? [] : mails.splice(index, 1)
        if (mail) return mail
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`no mail for ${recipient} arrived`)
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function decode(raw: string): string {
  return raw
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'))
}
