import FairleadChannel
import Foundation

/// How a process ended.
public enum Exit: Sendable, Equatable, CustomStringConvertible {
  case code(Int32)
  case signal(Int32)

  public var description: String {
    switch self {
    case .code(let code): return "exited with code \(code)"
    case .signal(let number): return "was ended by \(Exit.names[number] ?? "signal \(number)")"
    }
  }

  private static let names: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT",
    SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGBUS: "SIGBUS", SIGSEGV: "SIGSEGV", SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM",
  ]
}

/// A child process. Foundation's Process is no use here: it passes no descriptors besides the standard ones, and on Linux
/// its `waitUntilExit` may not return.
final class ChildProcess: @unchecked Sendable {
  let pid: pid_t
  private let lock = Lock()
  private let ended = Condition()
  private var exit: Exit?

  /// Starts a program with these descriptors as its numbers 0, 1, 2 and so on.
  init(
    command: String, arguments: [String], environment: [String: String], folder: String?, descriptors: [Int32]
  ) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // The child starts with the signals of a fresh process, whatever this one has blocked.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    if let folder { _ = changeFolder(&actions, folder) }
    var argv: [UnsafeMutablePointer<CChar>?] = ([command] + arguments).map { strdup($0) }
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") }
    argv.append(nil)
    envp.append(nil)
    defer { (argv + envp).forEach { free($0) } }
    var pid = pid_t()
    let error = posix_spawnp(&pid, command, &actions, &attributes, argv, envp)
    if error != 0 {
      throw XPCError(.connectionLost, detail: "\(command) could not be started: \(String(cString: strerror(error)))")
    }
    self.pid = pid
    let thread = Thread { self.waitForEnd() }
    thread.name = "fairlead-child"
    thread.start()
  }

  var currentExit: Exit? { lock.hold { exit } }

  func wait(milliseconds: Int) -> Exit? {
    let end = monotonicNow() + UInt64(milliseconds) * nanosecondsPerMillisecond
    return lock.hold {
      while exit == nil && monotonicNow() < end { ended.wait(lock, milliseconds: max(1, min(milliseconds, 50))) }
      return exit
    }
  }

  /// The process may have ended, and another may have its number by now, so the lock is held.
  func kill(_ signal: Int32) {
    lock.hold { if exit == nil { _ = systemKill(pid, signal) } }
  }

  private func waitForEnd() {
    // The process stays a zombie, which keeps its number, until the lock is held.
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    lock.hold {
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
      let signal = status & 0x7f
      exit = signal == 0 ? .code(status >> 8 & 0xff) : .signal(signal)
      ended.broadcast()
    }
  }
}

private func systemKill(_ pid: pid_t, _ signal: Int32) -> Int32 { kill(pid, signal) }

#if canImport(Darwin)
  private func changeFolder(_ actions: inout posix_spawn_file_actions_t?, _ folder: String) -> Int32 {
    posix_spawn_file_actions_addchdir_np(&actions, folder)
  }
#else
  private func changeFolder(_ actions: inout posix_spawn_file_actions_t, _ folder: String) -> Int32 {
    addChangeOfFolder(&actions, folder)
  }

  /// The headers show this function to C programs that define _GNU_SOURCE only.
  @_silgen_name("posix_spawn_file_actions_addchdir_np")
  private func addChangeOfFolder(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ folder: UnsafePointer<CChar>
  ) -> Int32
#endif
