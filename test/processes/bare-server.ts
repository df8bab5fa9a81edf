/** A server of Node alone, which does nothing: the time of its answers is what the machine takes. */
import { createServer } from 'node:http'
import { requireAddress } from '../../apps/server/src/http/listening-address.ts'

const server = createServer((_request, response) => response.end('ok'))
server.listen(0, '127.0.0.1', () => process.send?.(requireAddress(server).port))
