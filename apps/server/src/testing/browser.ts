import assert from 'node:assert/strict'
import type { Session } from '@fairlead/contract'
import type { MailServer } from './mail-server.ts'
import type { Answer, CallOptions, TestServer } from './start-server.ts'

/** Acts as a browser showing the dashboard: keeps the cookie and sends the CSRF token and the workspace. */
export class Browser {
  cookie: string | undefined
  session: Session | undefined
  workspaceId: number | undefined
  readonly #server: Pick<TestServer, 'call'>

  constructor(server: Pick<TestServer, 'call'>) {
    this.#server = server
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await this.#server.call(method, path, {
      token: null,
      ...options,
      headers: {
        ...(this.cookie !== undefined && { Cookie: this.cookie }),
        ...(this.session && { 'X-CSRF-Token': this.session.csrfToken }),
        ...(this.workspaceId !== undefined && { 'X-Fairlead-Workspace': String(this.workspaceId) }),
        ...options.headers,
      },
    })
    const [setCookie] = answer.headers.getSetCookie()
    if (setCookie !== undefined) this.cookie = setCookie.split(';')[0]
    return answer
  }

  /** Posts a request that is answered with a session, and uses that session from then on. */
  async start(path: string, json: unknown): Promise<Session> {
    const answer = await this.call('POST', path, { json })
    assert.equal(answer.status, 201, answer.text)
    const session: Session = answer.json.session ?? answer.json
    this.session = session
    return session
  }
}

export const password = 'correct horse battery'

export async function signIn(server: TestServer, email: string, secret = password): Promise<Browser> {
  const browser = new Browser(server)
  await browser.start('/v1/session', { email, password: secret })
  return browser
}

interface Invited {
  email: string
  role: string
  token?: string
}

/**
 * Adds a member to the initial token's workspace, or to that of the given administrator token. With a mail server, the
 * invitation is in the mail only.
 */
export async function join(
  server: Pick<TestServer, 'call' | 'token'>,
  { mailServer, ...invitation }: Invited & { mailServer?: MailServer },
): Promise<Browser> {
  const browser = new Browser(server)
  const name = invitation.email.split('@')[0]
  const token = await invite(server, invitation)
  await browser.start('/v1/invitations/accept', {
    token: mailServer ? await readInvitationMail(mailServer, invitation.email) : token,
    name,
    password,
  })
  return browser
}

/** Invites a person and returns the secret of the link. */
export async function invite(
  server: Pick<TestServer, 'call' | 'token'>,
  { email, role, token = server.token }: Invited,
): Promise<string> {
  const answer = await server.call('POST', '/v1/invitations', { token, json: { email, role } })
  assert.equal(answer.status, 201, answer.text)
  return answer.json.inviteUrl === null ? '' : (new URL(answer.json.inviteUrl).searchParams.get('token') ?? '')
}

/** Waits for the invitation mail of a person and returns the secret of its link. */
export async function readInvitationMail(mailServer: MailServer, email: string): Promise<string> {
  const { decoded } = await mailServer.waitForMail(email)
  return /invitation\?token=([\w-]{43})/.exec(decoded)?.[1] ?? ''
}
