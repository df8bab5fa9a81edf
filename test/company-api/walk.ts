import assert from 'node:assert/strict'
import {
  type Answer,
  type CallOptions,
  startServer,
  type TestServer,
} from '../../apps/server/src/testing/start-server.ts'

/** A server whose answers are compared with what the API promises. */
export interface Walk extends AsyncDisposable {
  server: TestServer
  developer: string
  viewer: string
  /** Calls the API and asserts the status; for errors also title and error object. Returns the body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the shapes are what is tested
  ask: (request: string, status: number, options?: CallOptions) => Promise<any>
  /** Like `ask`, but returns the whole answer. */
  answer: (request: string, status: number, options?: CallOptions) => Promise<Answer>
}

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
}

export async function startWalk(environment: Record<string, string> = {}): Promise<Walk> {
  const server = await startServer(environment)
  const answer = async (request: string, status: number, options?: CallOptions): Promise<Answer> => {
    const [method = '', path = ''] = request.split(' ')
    const got = await server.call(method, path, options)
    assert.equal(got.status, status, `${request}: ${got.text}`)
    if (status >= 400 && path.startsWith('/v1')) {
      assert.deepEqual([got.json?.httpStatus, got.json?.title], [status, titles[status]], request)
      assert.match(got.json.id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    }
    return got
  }
  const ask = async (request: string, status: number, options?: CallOptions) =>
    (await answer(request, status, options)).json
  const createToken = async (role: string): Promise<string> =>
    (await ask('POST /v1/apiTokens', 201, { json: { name: role, role } })).token
  return {
    server,
    answer,
    ask,
    developer: await createToken('developer'),
    viewer: await createToken('viewer'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Asserts that an object has these fields, given as in the description of the API; further ones are free. */
export function hasFields(value: object, fields: string, place = ''): void {
  const names = fields.split(/[,\s]+/).filter((name) => name !== '')
  assert.deepEqual(
    names.filter((name) => !(name in value)),
    [],
    `${place} lacks fields: ${JSON.stringify(value)}`,
  )
}
