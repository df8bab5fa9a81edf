/// A stream is a sequence of packets: a u32 with the number of frame bytes that follow, or, with its top bit set, an
/// acknowledgement of 8 bytes. A side keeps its unacknowledged bytes within a window that always fits into the pipe, so
/// that a write never waits.
package enum Packet {
  package static let headerSize = 4
  package static let ackSize = 8
  package static let ackFlag: UInt32 = 0x8000_0000
  /// Size limit of a data packet that a reader accepts.
  package static let maxSize = 64 * 1024
  #if os(Linux)
    package static let window = 28 * 1024 - 8 * ackSize
  #else
    package static let window = 16 * 1024 - 8 * ackSize
  #endif
  /// A reader acknowledges when this many bytes are unacknowledged.
  package static let ackThreshold = window / 2
  /// From this many bytes on, an acknowledgement is added to a packet that is written anyway.
  package static let ackRideThreshold = 2 * 1024
  /// Limit for queued frames. Beyond it sends are refused, because the other side has stopped reading.
  package static let maxQueued = 64 * 1024 * 1024
}

@inline(__always)
func readU32(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> UInt32 {
  UInt32(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: at, as: UInt32.self))
}

@inline(__always)
func writeU32(_ bytes: UnsafeMutablePointer<UInt8>, _ at: Int, _ value: UInt32) {
  UnsafeMutableRawPointer(bytes).storeBytes(of: value.littleEndian, toByteOffset: at, as: UInt32.self)
}
