import FairleadChannel
import Foundation

/// Two FIFOs with mode 0600 in a folder with mode 0700, so that only this user can open them. The folder is removed once
/// both sides have opened them; left behind in a container of the Simulator, they would break the cloning of devices.
struct FifoFolder {
  let path: String
  var toApp: String { "\(path)/to-app" }
  var toTest: String { "\(path)/to-test" }

  /// In the Simulator, the temporary folder of the test runner lies on the Mac, and the app can open it too.
  init(in folder: String = NSTemporaryDirectory()) throws {
    var template = Array("\(folder.hasSuffix("/") ? folder : folder + "/")fairlead-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw systemError("a folder in \(folder)") }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    if mkfifo(toApp, 0o600) != 0 || mkfifo(toTest, 0o600) != 0 {
      let error = systemError("a FIFO in \(path)")
      remove()
      throw error
    }
  }

  func remove() {
    for name in ["to-app", "claimed", "to-test"] { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}

/// The four ends of two FIFOs.
struct FifoEnds {
  let testReads: Int32
  let testWrites: Int32
  let appReads: Int32
  let appWrites: Int32

  init(_ folder: FifoFolder) throws {
    var opened: [Int32] = []
    func end(_ path: String, _ flags: Int32) throws -> Int32 {
      let descriptor = open(path, flags | O_CLOEXEC)
      if descriptor < 0 {
        let error = systemError(path)
        opened.forEach { close($0) }
        throw error
      }
      // Numbers from 10 on leave room for those that the app expects.
      let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
      close(descriptor)
      opened.append(moved)
      return moved
    }
    // A non-blocking writer can be opened only if there is a reader, and a reader opens at once only without blocking.
    appReads = try end(folder.toApp, O_RDONLY | O_NONBLOCK)
    testWrites = try end(folder.toApp, O_WRONLY | O_NONBLOCK)
    testReads = try end(folder.toTest, O_RDONLY | O_NONBLOCK)
    appWrites = try end(folder.toTest, O_WRONLY | O_NONBLOCK)
    // The app's ends wait, as a program in any language expects.
    for descriptor in [appReads, appWrites] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }
  }

  func closeAppEnds() {
    close(appReads)
    close(appWrites)
  }

  func closeAll() {
    closeAppEnds()
    close(testReads)
    close(testWrites)
  }
}

func systemError(_ what: String) -> XPCError {
  XPCError(.connectionLost, detail: "\(what): \(String(cString: strerror(errno)))")
}

/// Named apart from the methods `close`.
func closeDescriptor(_ descriptor: Int32) {
  close(descriptor)
}
