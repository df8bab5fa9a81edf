import Foundation

/// Types that contain themselves are encoded and decoded by recursion, and threads other than the main one may have only
/// half a megabyte of stack. Depth is refused with an error before the stack ends.
enum StackGuard {
  private static let margin = 128 * 1024

  /// Looks at the stack on every 16th level only, because finding its bounds takes time.
  static func check(depth: Int) throws {
    if depth >= ValueLimit.depth { throw ValueError("deeper than \(ValueLimit.depth) levels") }
    if depth & 15 != 15 { return }
    var local: UInt8 = 0
    let here = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    if here < lowest() + UInt(margin) { throw ValueError("too deep for the stack of this thread, at \(depth) levels") }
  }

  private static func lowest() -> UInt {
    let key = "fairlead.lowest-stack-address"
    if let known = Thread.current.threadDictionary[key] as? UInt { return known }
    let found = find()
    Thread.current.threadDictionary[key] = found
    return found
  }

  private static func find() -> UInt {
    #if canImport(Darwin)
      let top = UInt(bitPattern: pthread_get_stackaddr_np(pthread_self()))
      return top - UInt(pthread_get_stacksize_np(pthread_self()))
    #else
      var attributes = pthread_attr_t()
      guard getAttributes(pthread_self(), &attributes) == 0 else { return 0 }
      defer { pthread_attr_destroy(&attributes) }
      var base: UnsafeMutableRawPointer?
      var size = 0
      pthread_attr_getstack(&attributes, &base, &size)
      return UInt(bitPattern: base)
    #endif
  }
}

#if !canImport(Darwin)
  /// The headers show this function to C programs that define _GNU_SOURCE only.
  @_silgen_name("pthread_getattr_np")
  private func getAttributes(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32
#endif
