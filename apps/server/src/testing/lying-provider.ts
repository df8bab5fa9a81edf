/** An OpenID provider that signs everybody in at once, and lies as a test asks it to. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { requireAddress } from '../http/listening-address.ts'

/** What is wrong with its next answers. */
export interface Lie {
  /** Claims of the ID token that differ from the true ones; undefined leaves one out. */
  claims?: Record<string, unknown>
  /** Claims of userinfo that differ. */
  userinfo?: Record<string, unknown>
  /** How the ID token is signed: by a key that it does not publish, by the shared secret, or not at all. */
  signature?: 'otherKey' | 'secret' | 'none'
  /** The status and the body of its token endpoint. */
  tokens?: { status: number; body: string }
}

export interface LyingProvider extends AsyncDisposable {
  issuer: string
  clientSecret: string
  lie: Lie
  entry(changes?: Record<string, unknown>): Record<string, unknown>
  /** Acts as a browser at the provider, and returns the path that it is sent back to. */
  answer(url: string): string
  /** Signs a logout token for the server. */
  signLogout(claims: Record<string, unknown>): Promise<string>
}

export async function startLyingProvider(): Promise<LyingProvider> {
  const [own, foreign] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const published = { ...(await exportJWK(own.publicKey)), kid: 'own', use: 'sig', alg: 'RS256' }
  let nonce = ''

  const toClaims = (): Record<string, unknown> => {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: 'fairlead', sub: 'ada', nonce, iat: now, exp: now + 300, ...person }
    return { ...claims, ...started.lie.claims }
  }
  const signToken = async (claims: Record<string, unknown>): Promise<string> => {
    const { signature } = started.lie
    if (signature === 'none') return new UnsecuredJWT(claims).encode()
    if (signature === 'secret') {
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret))
    }
    const key = signature === 'otherKey' ? foreign.privateKey : own.privateKey
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key)
  }
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
    }),
    '/jwks': () => ({ keys: [published] }),
    '/token': async () => ({
      access_token: 'opaque',
      token_type: 'Bearer',
      id_token: await signToken(toClaims()),
    }),
    '/userinfo': () => ({ sub: 'ada', name: 'Ada', ...started.lie.userinfo }),
  }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const { tokens } = started.lie
    void text(request).then(async () => {
      response.setHeader('content-type', 'application/json')
      if (path === '/token' && request.headers.authorization !== undefined) {
        response.writeHead(401).end('{"error":"invalid_client"}')
      } else if (path === '/token' && tokens) response.writeHead(tokens.status).end(tokens.body)
      else response.end(JSON.stringify(await answers[path]?.()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${requireAddress(server).port}`
  const clientSecret = 'a shared secret of more than 32 bytes'
  const started: LyingProvider = {
    issuer,
    clientSecret,
    lie: {},
    entry: (changes = {}) => ({
      key: 'liar',
      name: 'Liar',
      issuer,
      clientId: 'fairlead',
      clientSecret,
      domains: ['example.com'],
      ...changes,
    }),
    answer(url) {
      const asked = new URL(url).searchParams
      nonce = asked.get('nonce') ?? ''
      const back = new URL(asked.get('redirect_uri') ?? '')
      return `${back.pathname}?code=1&state=${asked.get('state') ?? ''}`
    },
    signLogout: signToken,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return started
}

/** The claims that the ID token has; the name is in userinfo only. */
const person = { email: 'ada@example.com', email_verified: true, groups: ['mobile'] }
