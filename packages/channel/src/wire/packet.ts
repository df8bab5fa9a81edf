/**
 * A packet starts with a u32, little-endian. If its top bit is clear, it is the number of bytes of the frame stream
 * that follow. If its top bit is set, the packet is an acknowledgement of 8 bytes in all: the other 31 bits are the
 * high half, and the next u32 the low half, of the number of bytes that its sender has received and parsed, including
 * packet headers and acknowledgements.
 *
 * A sender keeps its unacknowledged bytes below a window, so that a write never waits for room. A Linux pipe has 16
 * pages. However the writes are split, two neighbouring pages together hold more than one page of data, and the first
 * page may be partly read. So 7 pairs, 28 KiB, always fit. On other systems a pipe may start at 16 KiB.
 */
import { platform } from 'node:process'

export const packetHeaderSize = 4
export const ackSize = 8
export const ackFlag = 0x80000000

/** Size limit of a data packet that a reader accepts, in bytes. */
export const maxPacketSize = 64 * 1024

/** Number of bytes that may be unacknowledged. Room is kept for acknowledgements, which are never held back. */
export const windowSize = (platform === 'linux' ? 28 : 16) * 1024 - 8 * ackSize

/**
 * A reader acknowledges when this many bytes are unacknowledged. A writer can continue with half of its window, and an
 * answer of 10 KB still carries the acknowledgement of its request.
 */
export const ackThreshold = windowSize / 2

/** From this many bytes on, an acknowledgement is added to a packet that is written anyway. */
export const ackRideThreshold = 2 * 1024

/** Limit in bytes for queued frames. Beyond it, sends are refused, because the other side has stopped reading. */
export const maxQueued = 64 * 1024 * 1024
