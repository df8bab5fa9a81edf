import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { requireAddress } from '../http/listening-address.ts'

interface StoredDevice {
  udid: string
  name: string
  status: string
}

/** Answers as App Store Connect documents it, and checks the token of each request. */
export interface AppleServer extends AsyncDisposable {
  url: string
  issuerId: string
  keyId: string
  /** The private key that it accepts, in PEM. */
  privateKey: string
  devices: StoredDevice[]
  /** What goes wrong with the next requests, by status. */
  failures: number[]
  /** The status of devices that are registered next. */
  nextStatus: string
}

export async function startAppleServer(): Promise<AppleServer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuerId = '57246542-96fe-1a63-e053-0824d011072a'
  const keyId = '2X9R4HXF34'
  const devices: StoredDevice[] = []
  const state = { failures: [] as number[], nextStatus: 'ENABLED' }

  const answer = async (request: IncomingMessage): Promise<[status: number, body: unknown]> => {
    const fault = findTokenFault(request.headers.authorization, {
      issuerId,
      keyId,
      publicKey: publicKey.export({ format: 'pem', type: 'spki' }),
    })
    if (fault !== undefined) return [401, { errors: [{ status: '401', title: 'NOT_AUTHORIZED', detail: fault }] }]
    const failure = state.failures.shift()
    if (failure !== undefined) return [failure, { errors: [{ title: 'Failed', detail: `It failed with ${failure}` }] }]
    const url = new URL(request.url ?? '/', 'http://apple')
    const toData = (device: StoredDevice) => ({ type: 'devices', id: device.udid, attributes: device })
    if (url.pathname !== '/v1/devices') return [404, { errors: [{ title: 'Not found' }] }]
    if (request.method === 'GET') {
      const udids = url.searchParams.get('filter[udid]')?.split(',')
      return [200, { data: devices.filter(({ udid }) => udids?.includes(udid) ?? true).map(toData) }]
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as Apple documents it
    const { data } = (await json(request)) as { data: { attributes: StoredDevice & { platform: string } } }
    const { udid, name, platform } = data.attributes
    if (platform !== 'IOS') return [409, { errors: [{ detail: 'The platform is wrong' }] }]
    if (devices.some((one) => one.udid.toLowerCase() === udid.toLowerCase())) {
      return [
        409,
        { errors: [{ title: 'A device already exists', detail: `A device with number '${udid}' already exists` }] },
      ]
    }
    const device = { udid, name, status: state.nextStatus }
    devices.push(device)
    return [201, { data: toData(device) }]
  }

  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return Object.assign(state, {
    url: `http://127.0.0.1:${requireAddress(server).port}`,
    issuerId,
    keyId,
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    devices,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

/** Checks a JSON Web Token as "Generating Tokens for API Requests" asks for it. */
function findTokenFault(
  header: string | undefined,
  { issuerId, keyId, publicKey }: { issuerId: string; keyId: string; publicKey: string },
): string | undefined {
  const [head = '', claims = '', signature = ''] = header?.replace(/^Bearer /, '').split('.') ?? []
  const key = { key: createPublicKey(publicKey), dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))) {
    return 'The signature is wrong'
  }
  const [{ alg, kid, typ }, { iss, iat, exp, aud }] = [parsePart(head), parsePart(claims)]
  if (alg !== 'ES256' || kid !== keyId || typ !== 'JWT') return 'The head is wrong'
  if (iss !== issuerId || aud !== 'appstoreconnect-v1') return 'The claims are wrong'
  const now = Date.now() / 1000
  const isNow = typeof iat === 'number' && typeof exp === 'number' && iat <= now + 1 && exp > now && exp - iat <= 1200
  return isNow ? undefined : 'The token does not live for twenty minutes or less'
}

function parsePart(part: string): Record<string, unknown> {
  const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  return { ...Object(value) }
}
