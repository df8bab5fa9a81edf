/**
 * A packet starts with a u32, little endian. With the top bit clear it is the number of bytes of the frame
 * stream that follow. With the top bit set the packet is an acknowledgement, 8 bytes in all: the other 31 bits
 * are the high half, the next u32 the low half, of the count of bytes that its sender has received and parsed,
 * packet headers and acknowledgements included.
 *
 * A sender keeps what is not acknowledged below its window, so that a write never waits for room. A Linux pipe
 * has 16 pages; however the writes are cut, two neighbouring pages together hold more than one page, and the
 * first may have been read in part: 7 pairs, 28 KiB, always fit. Elsewhere a pipe may start at 16 KiB.
 */
import { platform } from 'node:process'

export const packetHeaderSize = 4
export const ackSize = 8
export const ackFlag = 0x80000000

/** The longest data packet that a reader accepts. */
export const maxPacketSize = 64 * 1024

/** Bytes that may be under way, with room kept for the acknowledgements that are never held back. */
export const windowSize = (platform === 'linux' ? 28 : 16) * 1024 - 8 * ackSize

/**
 * A reader acknowledges at the latest when this much is unacknowledged: with half of its window a writer can go on,
 * and an answer of 10 KB still takes the acknowledgement of its request along.
 */
export const ackThreshold = windowSize / 2

/** From here on an acknowledgement rides along with a packet that is written anyway. */
export const ackRideThreshold = 2 * 1024

/** Above this, what waits to be written is refused: the other side has stopped reading. */
export const maxQueued = 64 * 1024 * 1024
