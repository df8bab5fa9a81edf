import { once } from 'node:events'
import { createServer } from 'node:http'
import { createClient } from '@fairlead/client'
import { requirePort } from '../../scripts/free-port.ts'

/** Arguments of functions that do not just take numbers and plain objects. */
const specialArguments: Record<string, unknown[]> = {
  'builds.upload': [{ alias: 'a', file: new Blob(['x']) }],
  'tests.uploadReport': [{ alias: 'a', file: new Blob(['x']) }],
  'symbols.upload': [{ alias: 'a', file: new Blob(['x']) }],
  'crashes.listNewest': [7],
  'uploads.create': [9, {}],
  'uploads.getOffset': ['id'],
  'uploads.append': ['id', 0, { file: new Blob(['x']) }],
  'uploads.discard': ['id'],
  'access.requestPasswordReset': ['a@example.com'],
  'access.previewInvitation': ['token'],
  'groups.addTesters': [7, ['a@example.com']],
  'groups.removeTester': [7, 7],
  'builds.listFacts': [7, [7]],
  'builds.setReleaseNotes': [7, 'notes'],
  'builds.getInstalls': [7, 30],
  'members.setRole': [7, 'viewer'],
}

/** Those that any function of the client requires, here of each answer. */
const answerHeaders = { 'Content-Type': 'application/json', Location: '/v2/uploads/id', 'Upload-Offset': '0' }

/** Calls each function of the client once, and returns the methods and paths that reached a server by its name. */
export async function callEverything(): Promise<Map<string, string[]>> {
  const calls: string[] = []
  const callsOf = new Map<string, string[]>()
  const recorder = createServer((request, response) => {
    calls.push(`${request.method} ${request.url?.split('?')[0]}`)
    request.resume()
    request.on('end', () => response.writeHead(200, answerHeaders).end('[]'))
  })
  recorder.listen(0, '127.0.0.1')
  await once(recorder, 'listening')
  const port = requirePort(recorder)
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}` })
  try {
    for (const [resource, functions] of Object.entries(client)) {
      for (const [name, call] of Object.entries<(...given: never[]) => unknown>(functions)) {
        const given = specialArguments[`${resource}.${name}`] ?? (takesNothing(call) ? [] : [7, {}])
        await Reflect.apply(call, undefined, given)
        callsOf.set(`${resource}.${name}`, calls.splice(0))
      }
    }
    // Without an alias, the application is made of the file.
    await client.builds.upload({ alias: null, file: new Blob(['x']) })
    callsOf.get('builds.upload')?.push(...calls)
    return callsOf
  } finally {
    recorder.closeAllConnections()
    recorder.close()
  }
}

/** A call whose only parameter is its options. */
function takesNothing(call: (...given: never[]) => unknown): boolean {
  return call.toString().startsWith('(options)')
}

/** Turns `GET /v1/builds/{buildId}` into a regular expression that matches real requests. */
export function toPattern(operation: string): RegExp {
  return new RegExp(`^${operation.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
}
