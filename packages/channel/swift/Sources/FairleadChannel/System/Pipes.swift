import Foundation

/// The two descriptors of a connection. Reads wait, writes fit the window.
package struct Pipes: Sendable {
  package let read: Int32
  package let write: Int32

  package init(read: Int32, write: Int32) {
    self.read = read
    self.write = write
    for descriptor in [read, write] {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }
    #if canImport(Darwin)
      _ = fcntl(write, F_SETNOSIGPIPE, 1)
    #else
      _ = Interrupts.ignoreBrokenPipes
    #endif
  }

  func close() {
    #if canImport(Darwin)
      _ = Darwin.close(read)
      _ = Darwin.close(write)
    #else
      _ = Glibc.close(read)
      _ = Glibc.close(write)
    #endif
  }

  /// True if a read would not wait: there are bytes, or the stream has ended.
  func isReadable(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: read, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }
}

package func isFIFO(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
}
