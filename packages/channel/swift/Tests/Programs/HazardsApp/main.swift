// An app that misbehaves on request. It answers to the same names as the hazard app in TypeScript.
import FairleadChannel
import Foundation

struct TooFar: CustomNSError, LocalizedError {
  var errorDescription: String? { "too far" }
  var errorUserInfo: [String: Any] { [NSUnderlyingErrorKey: MapEnded()] }
}

struct MapEnded: LocalizedError {
  var errorDescription: String? { "the map ended" }
}

/// A text that cannot be sent, in the place in which the hazard app in TypeScript has a function.
struct Unsendable: Encodable {
  func encode(to encoder: any Encoder) throws {
    let words = "a function cannot be sent"
    throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: words))
  }
}

struct BadAnswer: Encodable {
  struct User: Encodable {
    struct Tag: Encodable {
      let text: String?

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let text { try container.encode(text) } else { try container.encode(Unsendable()) }
      }
    }

    let tags = [Tag(text: "a"), Tag(text: "b"), Tag(text: nil)]
  }

  let user = User()
}

/// What the handlers have seen. Handlers may run on any thread.
final class Record: @unchecked Sendable {
  private let lock = NSLock()
  private var started: [String] = []
  private var aborted: [String] = []
  private var posts = 0

  func start(_ name: String) { lock.withLock { started.append(name) } }
  func abort(_ name: String) { lock.withLock { aborted.append(name) } }
  func countPost() { lock.withLock { posts += 1 } }
  var postCount: Int { lock.withLock { posts } }

  func takeStarted() -> [String] {
    lock.withLock {
      defer { started = [] }
      return started
    }
  }

  func takeAborted() -> [String] {
    lock.withLock {
      defer { aborted = [] }
      return aborted
    }
  }
}

@Sendable func describe(_ error: any Error) -> String {
  guard let error = error as? XPCError else { return "\(error)" }
  return "\(error.code.rawValue): \(error.description)"
}

func sleep(milliseconds: Int) async throws {
  try await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
}

/// Runs a shell command and returns its output, with the descriptors that this process leaves open to its children.
@Sendable func runShell(_ script: String) -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", script]
  let pipe = Pipe()
  process.standardOutput = pipe
  try? process.run()
  return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
}

@Sendable func register(_ service: AppService) {
  let record = Record()
  service.on("ping", encoding: String.self) { "pong" }
  service.on("echo", decoding: XPCValue.self, encoding: XPCValue.self) { $0 }
  service.on("descend", decoding: Int.self, encoding: Int.self) { depth in
    depth == 0 ? 0 : try service.send("descend", depth - 1, decoding: Int.self) + 1
  }
  service.on("askAsync", encoding: String.self) {
    do {
      try service.send("asyncInTest")
      return "answered"
    } catch { return describe(error) }
  }
  service.on("askAsyncAsync", encoding: String.self) {
    do {
      try await service.sendAsync("asyncInTest")
      return "answered"
    } catch { return describe(error) }
  }
  service.on("slow", decoding: Int.self, encoding: Int.self) { delay in
    record.start("slow \(delay)")
    do { try await sleep(milliseconds: delay) } catch {
      record.abort("slow \(delay)")
      throw error
    }
    return delay
  }
  service.on("spin", decoding: Int.self, encoding: Int.self) { delay in
    let end = Date() + Double(delay) / 1000
    while Date() < end {}
    return delay
  }
  service.on("note", decoding: XPCValue.self) { _ in record.countPost() }
  service.on("named", decoding: String.self) { record.start($0) }
  service.on("posts", encoding: Int.self) { record.postCount }
  service.on("started", encoding: [String].self) { record.takeStarted() }
  service.on("aborted", encoding: [String].self) { record.takeAborted() }
  service.on("postAndExit", decoding: Int.self) { count in
    for index in 0..<count { try service.post("counted", index) }
    exit(0)
  }
  service.on("die") { kill(getpid(), SIGKILL) }
  service.on("dieSoon", decoding: Int.self) { delay in
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { kill(getpid(), SIGKILL) }
  }
  service.on("throw") { throw TooFar() }
  service.on("badAnswer", encoding: BadAnswer.self) { BadAnswer() }
  service.on("environment", encoding: XPCValue.self) {
    ProcessInfo.processInfo.environment["FAIRLEAD_XPC"].map { .string($0) } ?? .undefined
  }
  service.on("grandchildSees", encoding: String.self) { runShell("ls -l /proc/self/fd; env") }
  service.on("leaveGrandchild", encoding: Int.self) { Int(leaveGrandchild()) }
  service.on("openSockets", encoding: [String].self) {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
  }
  registerLoad(service)
}

/// Counts many messages, and is too busy to read for a while.
@Sendable func registerLoad(_ service: AppService) {
  struct Item: Decodable {
    let index: Int
    let text: String
  }
  struct Sum: Codable {
    var count = 0
    var bytes = 0
    var order = 0
    var peak = 0
  }
  final class Counter: @unchecked Sendable { var sum = Sum() }
  let counter = Counter()
  service.on("item", decoding: Item.self) { item in
    if item.index == counter.sum.order { counter.sum.order += 1 }
    counter.sum.count += 1
    counter.sum.bytes += item.text.utf8.count
    if counter.sum.count % 20_000 == 0 { usleep(100_000) }
  }
  service.on("sum", encoding: Sum.self) {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    counter.sum.peak = (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    return counter.sum
  }
  service.on("sleep", decoding: Int.self) { usleep(UInt32($0) * 1000) }
}

/// Starts a process that holds the pipes of this one open.
@Sendable func leaveGrandchild() -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  posix_spawn_file_actions_adddup2(&actions, 3, 3)
  posix_spawn_file_actions_adddup2(&actions, 4, 4)
  defer { posix_spawn_file_actions_destroy(&actions) }
  var argv: [UnsafeMutablePointer<CChar>?] = (["sleep", "3"] as [String]).map { strdup($0) }
  argv.append(nil)
  defer { argv.forEach { free($0) } }
  var pid = pid_t()
  _ = fcntl(3, F_SETFD, 0)
  _ = fcntl(4, F_SETFD, 0)
  posix_spawnp(&pid, "sleep", &actions, nil, argv, nil)
  return pid
}

let arguments = CommandLine.arguments
if arguments.contains("late") {
  // The test may not have a handler for this message yet, at the moment of the launch.
  try xpcService?.post("launching", "hello")
  usleep(150_000)
}
guard let service = xpcService else {
  print("not under test")
  exit(0)
}
register(service)
if arguments.contains("permissions") {
  service.answerAuthorization(
    .contacts { .limited }, .location { .authorizedAlways }, .media { $0 == .video ? .authorized : .denied },
    .eventKit { $0 == .event ? .fullAccess : .writeOnly }, .photoLibrary { _ in .ephemeral },
    .healthKit { $0 == .workout ? .sharingAuthorized : .sharingDenied })
}
if arguments.contains("noisy") {
  let noise = Data(String(repeating: "x", count: 10_000).utf8)
  Thread { while true { FileHandle.standardOutput.write(noise); FileHandle.standardError.write(noise) } }.start()
}
if arguments.contains("log") {
  // Says to a file what happens to it, so that a test can see it after this app's own test is gone.
  let log = FileHandle(forWritingAtPath: ProcessInfo.processInfo.environment["ORPHAN_LOG"] ?? "")!
  let logged = LogFile(log)
  service.on("block", decoding: Int.self) { time in
    logged.say("blocking")
    do { try await sleep(milliseconds: time) } catch { logged.say("aborted") }
  }
  exitLog.file = logged
  atexit { exitLog.file?.say("exit") }
  Thread {
    for _ in 0..<100 {
      logged.say("tick")
      usleep(50_000)
    }
    exit(3)
  }.start()
}
service.activate(on: arguments.contains("channel") ? .channel : .main)
dispatchMain()
