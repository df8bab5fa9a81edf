/** What Node itself takes: the same FIFOs, the same calls to read and write them, and no protocol at all. */
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'

/** Calls back with the length of whatever comes on a descriptor, in the buffer. */
export function listen(fd: number, buffer: Buffer, onBytes: (length: number) => void): Socket {
  const onread = {
    buffer,
    callback: (length: number) => {
      onBytes(length)
      return true
    },
  }
  return new Socket({ fd, readable: true, writable: false, onread })
}

if (import.meta.main) {
  const buffer = Buffer.alloc(65_536)
  listen(3, buffer, (length) => writeSync(4, buffer, 0, length))
}
