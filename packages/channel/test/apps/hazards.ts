/** An app that misbehaves on request. */
import { spawn } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { XPCError, xpcService } from '@fairlead/channel/app'

const service = xpcService
if (!service) throw new Error('not under test')

const started: string[] = []
const aborted: string[] = []
let posts = 0

service.on('ping', { encoding: String }, () => 'pong')
service.on('echo', { decoding: Object, encoding: Object }, (content) => content)
service.on('descend', { decoding: Number, encoding: Number }, (depth) => {
  if (depth === 0) return 0
  return service.send('descend', depth - 1, { decoding: Number }) + 1
})
service.on('askAsync', { encoding: String }, () => {
  try {
    service.send('asyncInTest')
    return 'answered'
  } catch (error) {
    return error instanceof XPCError ? `${error.code}: ${error.message}` : String(error)
  }
})
service.on('askAsyncAsync', { encoding: String }, async () => {
  try {
    await service.sendAsync('asyncInTest')
    return 'answered'
  } catch (error) {
    return error instanceof XPCError ? `${error.code}: ${error.message}` : String(error)
  }
})
service.on('slow', { decoding: Number, encoding: Number }, async (delay, { signal }) => {
  started.push(`slow ${delay}`)
  signal.addEventListener('abort', () => aborted.push(`slow ${delay}`))
  await new Promise((resolve) => setTimeout(resolve, delay))
  return delay
})
service.on('spin', { decoding: Number, encoding: Number }, (delay) => {
  const end = Date.now() + delay
  while (Date.now() < end);
  return delay
})
service.on('note', { decoding: Object }, () => {
  posts++
})
service.on('named', { decoding: String }, (name) => {
  started.push(name)
})
service.on('posts', { encoding: Number }, () => posts)
service.on('started', { encoding: [String] }, () => started.splice(0))
service.on('aborted', { encoding: [String] }, () => aborted.splice(0))
service.on('memory', { encoding: Number }, () => process.memoryUsage().rss)
service.on('postAndExit', { decoding: Number }, (count) => {
  setImmediate(() => {
    for (let index = 0; index < count; index++) service.post('counted', index)
    process.exit(0)
  })
})
service.on('die', {}, () => {
  process.kill(process.pid, 'SIGKILL')
})
service.on('dieSoon', { decoding: Number }, (delay) => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), delay)
})
service.on('throw', {}, () => {
  const error = new RangeError('too far', { cause: new Error('the map ended') })
  throw Object.assign(error, { mile: 42 })
})
service.on('badAnswer', { encoding: Object }, () => ({ user: { tags: ['a', 'b', () => 'c'] } }))
service.on('environment', { encoding: Object }, () => process.env['FAIRLEAD_XPC'])
service.on('grandchildSees', { encoding: String }, async () => {
  const script = 'ls -l /proc/self/fd; env'
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  return (await child.stdout.setEncoding('utf8').toArray()).join('')
})
service.on('leaveGrandchild', { encoding: Number }, () => {
  const child = spawn('sleep', ['3'], { stdio: ['ignore', 'ignore', 'ignore', 3, 4], detached: true })
  child.unref()
  return child.pid ?? 0
})
service.on('openSockets', { encoding: [String] }, () =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  }),
)
