import assert from 'node:assert/strict'
import type { Session } from '@fairlead/contract'
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
    this.session = (answer.json.session ?? answer.json) as Session
    return this.session
  }
}

export const password = 'correct horse battery'

export async function signIn(server: TestServer, email: string, secret = password): Promise<Browser> {
  const browser = new Browser(server)
  await browser.start('/v1/session', { email, password: secret })
  return browser
}

/** Adds a member to the initial token's workspace, or to that of the given administrator token. */
export async function join(
  server: TestServer,
  { email, role, token = server.token }: { email: string; role: string; token?: string },
): Promise<Browser> {
  const browser = new Browser(server)
  const name = email.split('@')[0]
  await browser.start('/v1/invitations/accept', { token: await invite(server, { email, role, token }), name, password })
  return browser
}

/** Invites a person and returns the secret of the link. */
export async function invite(
  server: TestServer,
  { email, role, token = server.token }: { email: string; role: string; token?: string },
): Promise<string> {
  const answer = await server.call('POST', '/v1/invitations', { token, json: { email, role } })
  assert.equal(answer.status, 201, answer.text)
  return new URL(answer.json.inviteUrl).searchParams.get('token') ?? ''
}
