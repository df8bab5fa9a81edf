import type { Session } from '@fairlead/contract'
import { type IdentityProvider, keepCookies } from './identity-provider.ts'
import type { Answer, CallOptions, TestServer } from './start-server.ts'

/** Acts as a browser that signs in through a provider: keeps all cookies, and sends the CSRF token of its session. */
export class ProviderBrowser {
  readonly cookies = new Map<string, string>()
  /** Its cookies at the provider, where it stays signed in. */
  readonly cookiesThere = new Map<string, string>()
  session: Session | undefined
  workspaceId: number | undefined
  readonly #server: Pick<TestServer, 'call'>
  readonly #provider: IdentityProvider

  constructor(server: Pick<TestServer, 'call'>, provider: IdentityProvider) {
    this.#server = server
    this.#provider = provider
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await this.#server.call(method, path, {
      token: null,
      ...options,
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(this.session && { 'X-CSRF-Token': this.session.csrfToken }),
        ...(this.workspaceId !== undefined && { 'X-Fairlead-Workspace': String(this.workspaceId) }),
        ...options.headers,
      },
    })
    keepCookies(answer.headers, this.cookies)
    return answer
  }

  /** Goes to the provider and back to the server. Returns the path of the callback, which was not visited yet. */
  async goThere(name: string, { key = 'corp', returnTo = '/applications' } = {}): Promise<string> {
    const begun = await this.call('GET', `/sign-in/oidc/${key}?returnTo=${encodeURIComponent(returnTo)}`)
    return this.comeBack(begun.headers.get('location') ?? begun.text, name)
  }

  /** Signs in at the page of the provider. Returns the path of the callback. */
  async comeBack(url: string, name: string): Promise<string> {
    const { pathname, search } = await this.#provider.signIn(url, name, this.cookiesThere)
    return pathname + search
  }

  /** Signs in through the provider, and returns the answer of the callback. */
  async signIn(name: string, options: { key?: string; returnTo?: string } = {}): Promise<Answer> {
    const answer = await this.call('GET', await this.goThere(name, options))
    await this.readSession()
    return answer
  }

  async readSession(): Promise<Session | undefined> {
    const { status, json } = await this.call('GET', '/v1/session')
    this.session = status === 200 ? json : undefined
    return this.session
  }
}

/** The reason on a page that refuses a sign-in. */
export function readReason({ text }: Answer): string | undefined {
  return /<main data-reason="(\w+)">/.exec(text)?.[1]
}
