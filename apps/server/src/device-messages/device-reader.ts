import { ApiError } from '@fairlead/contract'
import { createPool, type TurnOptions } from '@fairlead/workers'
import type { DeviceMessageAnswer, DeviceMessageRequest } from './device-message.ts'

/** Reads messages of devices in a process, because anybody can send them. */
export interface DeviceReader extends AsyncDisposable {
  /**
   * Waits for a turn, then verifies and reads a message.
   *
   * @throws {ApiError} unreadableDevice when it takes too much time or memory
   * @throws {QueueFullError} when too many wait
   */
  read(request: DeviceMessageRequest, options?: TurnOptions): Promise<DeviceMessageAnswer>
}

/** Starts its process when it is needed. */
export function createDeviceReader(): DeviceReader {
  const worker = new URL('./device-message-worker.ts', import.meta.url)
  const pool = createPool<DeviceMessageRequest, DeviceMessageAnswer>(worker, {
    processorMs: 10_000,
    // By the clock as well, for a process that waits; long enough for a busy machine.
    timeoutMs: 120_000,
    maxMemoryMb: 128,
    maxQueued: 40,
    maxQueuedPerKey: 10,
    toError: (cause) =>
      cause.code === 'closed'
        ? new ApiError('shuttingDown', { cause })
        : new ApiError('unreadableDevice', { detail: 'The message took too much time or memory to read', cause }),
  })
  return {
    read: (request, turn) => pool.ask(request, turn),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
