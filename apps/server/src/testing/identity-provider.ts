/** A real OpenID provider on a loopback socket, with people who sign in by a form that asks for their name only. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'
import { requireAddress } from '../http/listening-address.ts'

/** The claims of a person, besides `sub`, which is the name they sign in with. */
export type PersonClaims = Readonly<Record<string, unknown>>

export interface IdentityProvider extends AsyncDisposable {
  issuer: string
  /** Whoever can sign in, by name. Tests change them as a directory would. */
  people: Map<string, PersonClaims>
  /** The entry for `FAIRLEAD_OIDC_PROVIDERS`. */
  entry(changes?: Record<string, unknown>): Record<string, unknown>
  /** Registers the server as a client. Call it again to rotate the keys. */
  register(baseUrl: string): void
  /**
   * Acts as a browser at the provider: signs in there, and returns the address that the provider sends it back to.
   *
   * @param cookies the browser's cookies at the provider, so that it stays signed in there
   */
  signIn(url: string, name: string, cookies?: Map<string, string>): Promise<URL>
  /** Acts as a browser that signs out at the provider, which tells the server. */
  signOut(cookies: Map<string, string>): Promise<void>
  /** Stops answering, or answers again. */
  isAway: boolean
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const people = new Map<string, PersonClaims>()
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  const server: Server = createServer((request, response) => {
    if (started.isAway || !handle) response.destroy()
    else handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${requireAddress(server).port}`
  const clientSecret = randomUUID()

  const started: IdentityProvider = {
    issuer,
    people,
    isAway: false,
    entry: (changes = {}) => ({
      key: 'corp',
      name: 'Corp',
      issuer,
      clientId: 'fairlead',
      clientSecret,
      scopes: 'openid email profile groups',
      domains: ['example.com'],
      ...changes,
    }),
    register(baseUrl) {
      handle = createProvider(issuer, people, { baseUrl, clientSecret })
    },
    signIn: (url, name, cookies = new Map()) => walk(url, cookies, `login=${encodeURIComponent(name)}`, issuer),
    async signOut(cookies) {
      const page = await visit(`${issuer}/session/end`, cookies)
      const [, action = '', secret = ''] =
        /action="([^"]+)".*name="xsrf" value="([^"]+)"/s.exec(await page.text()) ?? []
      const { status } = await visit(action, cookies, `xsrf=${secret}&logout=yes`)
      if (status >= 400) throw new Error(`the provider answered ${status}`)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return started
}

function createProvider(
  issuer: string,
  people: ReadonlyMap<string, PersonClaims>,
  { baseUrl, clientSecret }: { baseUrl: string; clientSecret: string },
) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'fairlead',
        client_secret: clientSecret,
        redirect_uris: ['corp', 'other', 'closed', 'vouched', 'claims'].map(
          (key) => `${baseUrl}/sign-in/oidc/${key}/callback`,
        ),
        post_logout_redirect_uris: [`${baseUrl}/sign-in`],
        backchannel_logout_uri: `${baseUrl}/sign-in/oidc/corp/backChannelLogout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomUUID()] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups', 'roles'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    // By default it refuses to call a client on a loopback address.
    fetch: (url, options) => {
      delete options?.dispatcher
      return fetch(url, options)
    },
    findAccount: (_context, sub) => {
      const claims = people.get(sub)
      return claims ? { accountId: sub, claims: async () => ({ sub, ...claims }) } : undefined
    },
    async loadExistingGrant({ oidc }) {
      const kept = oidc.client && oidc.session?.grantIdFor(oidc.client.clientId)
      const known = kept === undefined ? undefined : await oidc.provider.Grant.find(kept)
      if (known) return known
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600 },
    renderError: (context, out) => {
      context.type = 'text'
      context.body = JSON.stringify(out)
    },
  })
  const handleProtocol = provider.callback()
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/interaction/') !== true) void handleProtocol(request, response)
    else if (request.method === 'POST') void finishInteraction(provider, request, response)
    else response.setHeader('content-type', 'text/html').end(loginForm)
  }
}

const loginForm = `<!doctype html><title>Corp</title><h1>Corp</h1>
<form method="post"><label>Name <input name="login"></label><button>Continue</button></form>`

async function finishInteraction(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  const accountId = new URLSearchParams(await text(request)).get('login') ?? ''
  const result = accountId === 'nobody' ? { error: 'access_denied', error_description: 'No <b>entry</b>' } : null
  await provider.interactionFinished(request, response, result ?? { login: { accountId } })
}

/** Follows the redirects of the provider until they leave it, and fills its form in. */
async function walk(url: string, cookies: Map<string, string>, form: string, issuer: string): Promise<URL> {
  let next = new URL(url)
  for (let steps = 0; steps < 10; steps++) {
    if (next.origin !== issuer) return next
    const isForm = next.pathname.startsWith('/interaction/')
    const answer = await visit(next.href, cookies, isForm ? form : undefined)
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${answer.status} ${await answer.text()}`)
    next = new URL(location, next)
  }
  throw new Error('the provider redirects without end')
}

async function visit(url: string, cookies: Map<string, string>, form?: string): Promise<Response> {
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form !== undefined && { method: 'POST', body: form }),
  })
  keepCookies(answer.headers, cookies)
  return answer
}

/** Keeps the cookies of an answer, as a browser does. */
export function keepCookies(headers: Headers, cookies: Map<string, string>): void {
  for (const line of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}
