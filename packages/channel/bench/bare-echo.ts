/** Baseline for Node's own cost: it uses the same FIFOs and the same calls to read and write them, but no protocol. */
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'

/** Reads a descriptor into `buffer` and calls back with the number of bytes of each read. */
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
