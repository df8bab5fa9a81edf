import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setInterval, setTimeout } from 'node:timers/promises'
import { requireAddress } from '../../apps/server/src/http/listening-address.ts'

export interface HostileMailServer extends AsyncDisposable {
  /** The value for `FAIRLEAD_SMTP_URL`. */
  url: string
  /** How many connections it has had. */
  connections(): number
}

const behaviours: ((socket: Socket, isOpen: () => boolean) => Promise<unknown>)[] = [
  // A greeting without an end, as fast as it is read.
  async (socket, isOpen) => {
    while (isOpen()) if (!socket.write('220-hello\r\n'.repeat(5000))) await once(socket, 'drain')
  },
  // A line without an end.
  async (socket, isOpen) => {
    while (isOpen()) if (!socket.write('2'.repeat(65_536))) await once(socket, 'drain')
  },
  // One byte from time to time.
  async (socket) => {
    for await (const _ of setInterval(200)) if (!socket.write('2')) return
  },
  // A greeting, and then an answer that is none.
  async (socket) => {
    socket.write('220 hello\r\n')
    await once(socket, 'data')
    socket.write(Buffer.from('\0\xff\r\n999999 ?\r\n250 AUTH\r\n'))
  },
  async (socket) => socket.resetAndDestroy(),
  // It says nothing.
  () => setTimeout(60_000, undefined, { ref: false }),
]

/** Starts a mail server that is hostile to its clients, in another way on each connection. */
export async function startHostileMailServer(): Promise<HostileMailServer> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    const behave = behaviours[count++ % behaviours.length]
    behave?.(socket, () => socket.writable).catch(() => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `smtp://127.0.0.1:${requireAddress(server).port}`,
    connections: () => count,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
