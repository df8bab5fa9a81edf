import Foundation

/// A thread that sleeps in the kernel's read wakes within microseconds, but such a read has no time limit. Another
/// thread therefore ends it with SIGURG, whose default is to be ignored; its empty handler makes the read return EINTR.
enum Interrupts {
  /// False if the program uses the signal itself; reads then wait in `poll`, which takes one system call more.
  static let areAvailable: Bool = install(SIGURG)

  static func interrupt(_ thread: pthread_t) {
    pthread_kill(thread, SIGURG)
  }

  /// A write to a pipe that nobody reads any more must be an error and not the end of the process.
  static let ignoreBrokenPipes: Bool = install(SIGPIPE)

  /// Handlers, unlike ignored signals, are not inherited by the programs that this one starts.
  private static func install(_ number: Int32) -> Bool {
    var old = sigaction()
    guard sigaction(number, nil, &old) == 0 else { return false }
    #if canImport(Darwin)
      let isFree = unsafeBitCast(old.__sigaction_u.__sa_handler, to: Int.self) <= 1
    #else
      let isFree = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) <= 1
    #endif
    if !isFree { return false }
    var new = sigaction()
    #if canImport(Darwin)
      new.__sigaction_u.__sa_handler = { _ in }
    #else
      new.__sigaction_handler.sa_handler = { _ in }
    #endif
    return sigaction(number, &new, nil) == 0
  }
}
