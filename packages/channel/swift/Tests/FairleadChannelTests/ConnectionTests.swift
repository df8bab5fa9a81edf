import XCTest

@testable import FairleadChannel
@testable import FairleadChannelTesting

final class ConnectionTests: XCTestCase {
  // MARK: Launch

  func testRequestsWaitUntilTheAppIsReady() throws {
    for kind in [HazardApp.swift, .swiftOnChannelThread] {
      let heard = Collected<String>()
      let (command, arguments) = kind.command!
      let app = try LaunchedApp(command, arguments: arguments + ["late"]) { service in
        service.on("launching", decoding: String.self) { heard.append($0) }
      }
      try app.xpcService.post("named", "early")
      XCTAssertEqual(try app.xpcService.send("started", decoding: [String].self), ["early"])
      XCTAssertEqual(heard.all, ["hello"])
      XCTAssertEqual(catchError { try app.xpcService.send("nobody", timeout: 5) }.code, .noHandler)
      app.close()
    }
  }

  func testALaunchThatFailsSaysWhy() throws {
    let silent = catchError { _ = try LaunchedApp("/bin/sleep", arguments: ["20"], timeout: 0.2) }
    XCTAssertEqual(silent.code, .timeout)
    let gone = catchError { _ = try LaunchedApp("/bin/sh", arguments: ["-c", "exit 7"]) }
    XCTAssertEqual(gone.code, .connectionLost)
    XCTAssertTrue(gone.description.contains("code 7"), gone.description)
    let missing = catchError { _ = try LaunchedApp("/nowhere/app") }
    XCTAssertEqual(missing.code, .connectionLost)
    XCTAssertTrue(missing.description.contains("No such file"), missing.description)
  }

  func testSeveralAppsWithNoisyOutputEachGiveTheirOwnAnswers() throws {
    let nothing = open("/dev/null", O_WRONLY)
    defer { close(nothing) }
    let apps = try (1...3).map { _ in try LaunchedApp(program("HazardsApp"), arguments: ["noisy"], output: nothing) }
    for round in 0..<50 {
      for (index, app) in apps.enumerated() {
        XCTAssertEqual(try app.xpcService.send("echo", round * 3 + index, decoding: Int.self), round * 3 + index)
      }
    }
    apps.forEach { $0.close() }
  }

  func testThreadsSendAtTheSameTime() throws {
    for kind in HazardApp.allCases {
      let app = try kind.launch()
      let wrong = Collected<String>()
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for index in 0..<200 {
          do {
            let answer: Int = try app.xpcService.send("echo", thread * 1000 + index)
            if answer != thread * 1000 + index { wrong.append("\(answer)") }
          } catch { wrong.append("\(error)") }
        }
      }
      XCTAssertEqual(wrong.all, [], "\(kind)")
      app.close()
    }
  }

  // MARK: A fast sender and a busy app

  func testTwoHundredThousandMessagesArriveInOrderWithBoundedMemory() throws {
    struct Item: Codable {
      var index: Int
      var text: String
    }
    let app = try HazardApp.swiftOnChannelThread.launch()
    let text = String(repeating: "x", count: 1000)
    for index in 0..<200_000 {
      try app.xpcService.post("item", Item(index: index, text: text))
      if index % 10_000 == 0 { app.xpcService.flush() }
    }
    let sum = try app.xpcService.send("sum", decoding: [String: Int].self, timeout: 60)
    XCTAssertEqual([sum["count"], sum["bytes"], sum["order"]], [200_000, 200_000_000, 200_000])
    XCTAssertLessThan(sum["peak"] ?? .max, 400_000_000)
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }!.split(separator: " ")[1]
    XCTAssertLessThan(Int(peak) ?? .max, 800_000)
    app.close()
  }

  func testWith64MegabytesQueuedAPostThrowsAndTheConnectionContinues() throws {
    struct Item: Codable {
      var index: Int
      var text: String
    }
    let app = try HazardApp.swiftOnChannelThread.launch()
    try app.xpcService.post("sleep", 1500)
    let text = String(repeating: "x", count: 1_000_000)
    var queued = 0
    let error = catchError {
      while queued < 200 {
        try app.xpcService.post("item", Item(index: queued, text: text))
        queued += 1
      }
    }
    XCTAssertEqual(error.code, .overflow)
    XCTAssertTrue((60...70).contains(queued), "\(queued)")
    app.xpcService.flush()
    XCTAssertEqual(try app.xpcService.send("sum", decoding: [String: Int].self, timeout: 60)["count"], queued)
    app.close()
  }

  func testABlockingSendOf8MegabytesIsAnsweredWithThem() throws {
    for kind in HazardApp.allCases {
      let app = try kind.launch()
      let content = XPCValue.object([
        "text": .string(String(repeating: "ä", count: 4_000_000)),
        "bytes": .bytes(Data(repeating: 7, count: 1_000_000), kind: "Uint8Array"),
      ])
      XCTAssertEqual(try app.xpcService.send("echo", content, timeout: 30), content, "\(kind)")
      app.close()
    }
  }

  // MARK: An app that breaks the protocol

  func testAnAppThatBreaksTheProtocolEndsTheConnection() throws {
    let hello = packet(frame(1, #"{"version":1}"#))
    let attacks: [(String, [UInt8], String)] = [
      ("garbage", Array("GET / HTTP/1.1\r\n\r\n".utf8), "packet"),
      ("garbage after HELLO", hello + packet(frame(99, "")), "kind 99"),
      ("a packet of 2 GB", hello + u32(0x7fff_ffff), "packet of 2147483647 bytes"),
      ("a frame of 4 GB", hello + packet(u32(0xffff_ffff) + Array(repeating: 0, count: 100)), "4294967295 bytes"),
      ("a frame before HELLO", packet(frame(7, "")), "before HELLO"),
      ("an acknowledgement of what was never sent", hello + u32(0x8000_0000) + u32(100_000), "100000 bytes"),
      (
        "an acknowledgement inside a half-written message",
        hello + packet(Array(frame(5, "[1]").prefix(9))) + u32(0x8000_0000) + u32(9_000_000), "acknowledged"
      ),
      ("another version", packet(frame(1, #"{"version":2}"#)), "version 2, this side version 1"),
    ]
    for (name, bytes, words) in attacks {
      let octal = bytes.map { "\\0" + String($0, radix: 8) }.joined()
      let error = catchError {
        let app = try LaunchedApp("/bin/sh", arguments: ["-c", "printf '%b' '\(octal)' >&4; sleep 20"])
        try app.xpcService.send("ping", timeout: 10)
      }
      XCTAssertEqual(error.code, .protocol, "\(name): \(error)")
      XCTAssertTrue(error.description.contains(words), "\(name): \(error)")
    }
  }

  func testAFrameTruncatedByTheEndOfTheAppIsReported() throws {
    let octal = (packet(frame(1, #"{"version":1}"#)) + packet(u32(100) + Array(repeating: 0, count: 20)))
      .map { "\\0" + String($0, radix: 8) }.joined()
    let error = catchError {
      let app = try LaunchedApp("/bin/sh", arguments: ["-c", "printf '%b' '\(octal)' >&4; sleep 0.3"])
      try app.xpcService.send("ping", timeout: 10)
    }
    XCTAssertEqual(error.code, .protocol)
    XCTAssertTrue(error.description.contains("middle of a frame"), error.description)
  }

  private func u32(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  private func packet(_ bytes: [UInt8]) -> [UInt8] { u32(UInt32(bytes.count)) + bytes }

  /// Writes a frame as docs/PROTOCOL.md specifies it.
  private func frame(_ kind: UInt8, _ body: String) -> [UInt8] {
    u32(UInt32(12 + body.utf8.count)) + [kind, body.isEmpty ? 0 : 2, 0, 0] + u32(0) + u32(0) + Array(body.utf8)
  }

  // MARK: When the test process dies

  func testTheAppExitsWithItsTestOrContinuesIfItIsToldTo() throws {
    XCTAssertEqual(try runOrphan(whenTestEnds: .exit, kills: true), ["aborted", "ended", "exit"])
    XCTAssertEqual(try runOrphan(whenTestEnds: .continue, kills: true), ["aborted", "goes on"])
  }

  func testNoAppOutlivesATestProcessThatExits() throws {
    XCTAssertTrue(try runOrphan(whenTestEnds: .continue, kills: false).contains("ended"))
  }

  private func runOrphan(whenTestEnds: TestEnd, kills: Bool) throws -> Set<String> {
    let log = NSTemporaryDirectory() + "orphan-\(UUID().uuidString)"
    XCTAssertTrue(FileManager.default.createFile(atPath: log, contents: Data("launched\n".utf8)))
    defer { try? FileManager.default.removeItem(atPath: log) }
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let tester = try ChildProcess(
      command: program("TesterProgram"), arguments: [program("HazardsApp"), whenTestEnds.rawValue, kills ? "wait" : "exit"],
      environment: ProcessInfo.processInfo.environment.merging(["ORPHAN_LOG": log]) { $1 }, folder: nil,
      descriptors: [0, ends[1], 2])
    close(ends[1])
    var line = [UInt8](repeating: 0, count: 32)
    let length = read(ends[0], &line, 32)
    close(ends[0])
    let text = String(decoding: line.prefix(max(length, 0)), as: UTF8.self)
    let pid = try XCTUnwrap(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)), text)
    func words() -> Set<String> {
      Set((try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? [])
    }
    if kills {
      for _ in 0..<1000 where !words().isSuperset(of: ["tick", "blocking"]) { usleep(10_000) }
      tester.kill(SIGKILL)
    }
    let isExpected = whenTestEnds == .exit || !kills
    for _ in 0..<(isExpected ? 1000 : 50) where isAlive(pid) { usleep(10_000) }
    let isLeft = isAlive(pid)
    if isLeft { kill(pid, SIGKILL) }
    return words().subtracting(["launched", "tick", "blocking"]).union([isLeft ? "goes on" : "ended"])
  }

  /// Orphans stay as zombies if no process waits for them.
  private func isAlive(_ pid: pid_t) -> Bool {
    guard kill(pid, 0) == 0, let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else {
      return false
    }
    return !stat.contains(") Z ") && !stat.contains(") X ")
  }

  // MARK: Session

  private func launchByTool(_ environment: [String: String], _ output: Int32 = 1) throws -> ChildProcess {
    try ChildProcess(
      command: program("HazardsApp"), arguments: [],
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }, folder: nil,
      descriptors: [0, output, 2])
  }

  func testAnAppThatAnotherToolLaunchesFindsItsTestAndLeavesNoFilesBehind() throws {
    let session = try Session()
    let folder = session.environment["FAIRLEAD_XPC"]!.split(separator: ":").last.map(String.init)!
    let attributes = try FileManager.default.attributesOfItem(atPath: folder)
    XCTAssertEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o700)
    let tool = try launchByTool(session.environment)
    // Sends wait for the app.
    XCTAssertEqual(try session.xpcService.send("ping"), "pong")
    let app = try session.connect()
    XCTAssertEqual(app.pid, tool.pid)
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder))
    XCTAssertNil(try session.xpcService.send("environment", decoding: String?.self))
    let error = catchError { try app.xpcService.send("die") }
    XCTAssertEqual(error.code, .connectionLost)
    XCTAssertNotNil(tool.wait(milliseconds: 5000))
  }

  func testOnlyTheFirstOfTwoAppsWithTheSameEnvironmentIsUnderTest() throws {
    let session = try Session()
    let first = try launchByTool(session.environment)
    XCTAssertEqual(try session.xpcService.send("ping"), "pong")
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let second = try launchByTool(session.environment, ends[1])
    close(ends[1])
    XCTAssertEqual(second.wait(milliseconds: 10_000), .code(0))
    let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile()
    XCTAssertEqual(String(decoding: output, as: UTF8.self), "not under test\n")
    first.kill(SIGKILL)
  }

  func testAnAppWithAWrongTokenIsRefused() throws {
    let session = try Session()
    let folder = session.environment["FAIRLEAD_XPC"]!.split(separator: ":").last!
    let tool = try launchByTool(["FAIRLEAD_XPC": "path:\(String(repeating: "0", count: 64)):\(folder)"])
    let error = catchError { try session.connect() }
    XCTAssertEqual(error.code, .protocol)
    XCTAssertTrue(error.description.contains("token"), error.description)
    tool.kill(SIGKILL)
  }

  func testAnAppThatNeverConnectsGivesATimeoutAndTheFolderIsRemoved() throws {
    let session = try Session()
    let folder = session.environment["FAIRLEAD_XPC"]!.split(separator: ":").last.map(String.init)!
    XCTAssertEqual(catchError { try session.connect(timeout: 0.05) }.code, .timeout)
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder))
    XCTAssertEqual(catchError { try Session(in: "/nowhere").connect() }.code, .connectionLost)
  }

  func testAnAppThatDidNotInheritItsPipesRunsNormally() throws {
    let tool = try launchByTool(["FAIRLEAD_XPC": "fd:77,78"])
    XCTAssertEqual(tool.wait(milliseconds: 10_000), .code(0))
    let odd = try launchByTool(["FAIRLEAD_XPC": "nonsense"])
    XCTAssertEqual(odd.wait(milliseconds: 10_000), .code(0))
  }

  func testAServiceThatCannotReachAnyAppSaysWhyInEverySend() {
    let service = XPCService(failing: XPCError(.unsupported, detail: "no folder in common"))
    XCTAssertEqual(catchError { try service.send("ping") }.code, .unsupported)
    XCTAssertEqual(catchError { try service.post("ping") }.detail, "no folder in common")
    guard case .failed(let error) = service.status(.contacts) else { return XCTFail("not failed") }
    XCTAssertEqual(error.code, .unsupported)
  }
}
