import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  recipients: string[]
  /** As it came over the wire. */
  raw: string
  /** With quoted-printable undone. */
  decoded: string
}

export interface MailServer extends AsyncDisposable {
  /** What `FAIRLEAD_SMTP_URL` wants. */
  url: string
  mails: ReceivedMail[]
  /** Refuses the next recipients with these codes of SMTP. */
  refuseWith(...codes: number[]): void
  /** The next mail that somebody got; waits for it for a few seconds. */
  waitForMail(recipient: string): Promise<ReceivedMail>
}

/** A real SMTP server on a socket of this machine. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const refusals: number[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(_address, _session, done) {
      const code = refusals.shift()
      done(code === undefined ? null : Object.assign(new Error('refused by the test'), { responseCode: code }))
    },
    onData(stream, session, done) {
      text(stream).then(
        (raw) => {
          mails.push({ recipients: session.envelope.rcptTo.map(({ address }) => address), raw, decoded: decode(raw) })
          done(null)
        },
        (error: Error) => done(error),
      )
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseWith: (...codes) => void refusals.push(...codes),
    async waitForMail(recipient) {
      for (let waited = 0; waited < 200; waited++) {
        const index = mails.findIndex(({ recipients }) => recipients.includes(recipient))
        const [mail] = index === -1 ? [] : mails.splice(index, 1)
        if (mail) return mail
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`no mail for ${recipient} came`)
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function decode(raw: string): string {
  return raw
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'))
}
