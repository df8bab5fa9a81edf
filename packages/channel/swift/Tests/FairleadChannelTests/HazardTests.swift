import FairleadChannel
import FairleadChannelTesting
import XCTest

/// Every hazard between two real processes: this one and the app in Swift, with its handlers on the main thread and on
/// the channel's, and the app in TypeScript on Node.
final class HazardTests: XCTestCase {
  private func forEachApp(_ body: (LaunchedApp, HazardApp) throws -> Void) throws {
    for kind in HazardApp.allCases {
      let app = try kind.launch()
      do { try body(app, kind) } catch { XCTFail("\(kind): \(error)") }
      app.close()
    }
  }

  func testHandlersThatSendBackAreAnsweredOnTheSameStack() throws {
    try forEachApp { app, _ in
      let service = app.xpcService
      service.on("descend", decoding: Int.self, encoding: Int.self) { depth in
        depth == 0 ? 0 : try service.send("descend", depth - 1, decoding: Int.self) + 1
      }
      XCTAssertEqual(try service.send("descend", 20, decoding: Int.self), 20)
    }
  }

  func testABlockingSendWhoseAsynchronousHandlerWouldDeadlockFailsAtOnce() throws {
    try forEachApp { app, _ in
      app.xpcService.on("asyncInTest") { try await Task.sleep(nanoseconds: 1) }
      let started = Date()
      let told: String = try app.xpcService.send("askAsync", timeout: 5)
      XCTAssertTrue(told.hasPrefix("wouldDeadlock: "), told)
      XCTAssertTrue(told.contains("'asyncInTest'") && told.contains("'askAsync'"), told)
      XCTAssertLessThan(Date().timeIntervalSince(started), 2.5)
    }
  }

  func testAnAsynchronousHandlerThatAsksABlockedSideIsToldSo() throws {
    // A test in Swift blocks its main thread, where the handler of the app's own `await` would have to run.
    let app = try HazardApp.node.launch()
    app.xpcService.on("asyncInTest") { try await Task.sleep(nanoseconds: 1) }
    let told: String = try app.xpcService.send("askAsyncAsync", timeout: 5)
    XCTAssertTrue(told.hasPrefix("wouldDeadlock: "), told)
    app.close()
  }

  func testHandlersStartInTheOrderOfTheMessages() throws {
    try forEachApp { app, kind in
      let service = app.xpcService
      _ = try service.send("started", decoding: [String].self)
      let done = expectation(description: "slow")
      try service.post("named", "first")
      service.sendAsync("slow", 20, decoding: Int.self) { result in
        XCTAssertEqual(try? result.get(), 20)
        done.fulfill()
      }
      try service.post("named", "third")
      var started: [String] = []
      for _ in 0..<50 where started.count < 3 { started += try service.send("started", decoding: [String].self) }
      // In Swift an asynchronous handler begins on a thread of the runtime, perhaps beside the one that follows.
      if kind != .node { started.sort { $0 == "first" || ($0 != "third" && $1 == "third") } }
      XCTAssertEqual(started, ["first", "slow 20", "third"], "\(kind)")
      wait(for: [done], timeout: 10)
    }
  }

  func testALateAnswerIsDroppedAndTheNextCallGetsItsOwn() throws {
    try forEachApp { app, _ in
      let service = app.xpcService
      let error = catchError { _ = try service.send("spin", 60, decoding: Int.self, timeout: 0.015) }
      XCTAssertEqual(error.code, .timeout)
      XCTAssertEqual(error.messageName, "spin")
      XCTAssertTrue(error.description.contains("15 ms"), error.description)
      XCTAssertEqual(try service.send("ping"), "pong")
      for time in [1, 29, 31, 100] {
        let started = Date()
        XCTAssertEqual(catchError { try service.send("slow", 5000, timeout: Double(time) / 1000) }.code, .timeout)
        let taken = Date().timeIntervalSince(started)
        XCTAssertGreaterThanOrEqual(taken, Double(time) / 1000)
        XCTAssertLessThan(taken, 3)
      }
      for time in 1..<35 { XCTAssertEqual(try service.send("spin", time, decoding: Int.self), time) }
    }
  }

  func testALongTimeoutDoesNotHideAShorterOne() throws {
    try forEachApp { app, _ in
      let order = Collected<String>()
      let done = expectation(description: "both")
      done.expectedFulfillmentCount = 2
      app.xpcService.sendAsync("slow", 300, decoding: Int.self, timeout: 9) { _ in
        order.append("long")
        done.fulfill()
      }
      app.xpcService.sendAsync("slow", 300, decoding: Int.self, timeout: 0.02) { result in
        if case .failure(let error) = result { order.append("short \(error.code)") }
        done.fulfill()
      }
      wait(for: [done], timeout: 10)
      XCTAssertEqual(order.all, ["short timeout", "long"])
    }
  }

  func testATimeoutAndACancelReachTheHandler() async throws {
    for kind in HazardApp.allCases {
      let app = try kind.launch()
      let service = app.xpcService
      let task = Task { try await service.sendAsync("slow", 3010, decoding: Int.self) }
      let late = await catchError { _ = try await service.sendAsync("slow", 3020, decoding: Int.self, timeout: 0.03) }
      XCTAssertEqual(late.code, .timeout)
      task.cancel()
      let cancelled = await catchError { _ = try await task.value }
      XCTAssertEqual(cancelled.code, .cancelled)
      var aborted: [String] = []
      for _ in 0..<100 where aborted.count < 2 {
        aborted += try await service.sendAsync("aborted", decoding: [String].self)
        try await Task.sleep(nanoseconds: 5_000_000)
      }
      XCTAssertEqual(aborted.sorted(), ["slow 3010", "slow 3020"], "\(kind)")
      let before = await catchError {
        try await Task {
          withUnsafeCurrentTask { $0?.cancel() }
          _ = try await service.sendAsync("slow", 3030, decoding: Int.self)
        }.value
      }
      XCTAssertEqual(before.code, .cancelled)
      app.close()
    }
  }

  func testAMessageWithoutAHandlerIsAnErrorAtOnce() async throws {
    for kind in HazardApp.allCases {
      let app = try kind.launch()
      let error = catchError { try app.xpcService.send("nobody") }
      XCTAssertEqual(error.code, .noHandler)
      XCTAssertTrue(error.description.contains("'nobody'"))
      let asked = await catchError { try await app.xpcService.sendAsync("nobody") }
      XCTAssertEqual(asked.code, .noHandler)
      try app.xpcService.post("nobody")
      let failed = await catchError { try await app.xpcService.sendAsync("throw") }
      XCTAssertEqual(failed.code, .handlerFailed)
      app.close()
    }
  }

  func testAnExceptionOfAHandlerArrivesWithNameMessageAndCause() throws {
    try forEachApp { app, kind in
      let error = catchError { try app.xpcService.send("throw") }
      XCTAssertEqual(error.code, .handlerFailed)
      XCTAssertEqual(error.remote?.name, kind == .node ? "RangeError" : "TooFar")
      XCTAssertEqual(error.remote?.message, "too far")
      XCTAssertEqual(error.remote?.cause?.message, "the map ended")
      if kind == .node {
        XCTAssertTrue(error.remote?.stack?.contains("hazards.ts") ?? false)
        XCTAssertEqual(error.remote?.fields["mile"], .number(42))
      }
    }
  }

  func testContentThatCannotBeEncodedFailsWithItsPathAndNothingIsWritten() throws {
    struct Function: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "a function cannot be sent"))
      }
    }
    struct Content: Encodable {
      var user = ["tags": [Function()]]
    }
    try forEachApp { app, _ in
      let before: Int = try app.xpcService.send("posts")
      let error = catchError { try app.xpcService.post("note", Content()) }
      XCTAssertEqual(error.code, .encoding)
      XCTAssertEqual(error.path, "user.tags[0]")
      XCTAssertEqual(error.messageName, "note")
      let name = String(repeating: "n", count: 1025)
      XCTAssertEqual(catchError { try app.xpcService.post(name) }.code, .encoding)
      XCTAssertEqual(try app.xpcService.send("posts"), before)
    }
  }

  func testContentOrAnAnswerOfTheWrongTypeFailsWithItsPath() throws {
    try forEachApp { app, _ in
      let content = catchError { try app.xpcService.send("slow", "soon") }
      XCTAssertEqual(content.code, .decoding)
      XCTAssertTrue(content.description.contains("got string"), content.description)
      let answer = catchError { _ = try app.xpcService.send("started", decoding: Int.self) }
      XCTAssertEqual(answer.code, .decoding)
      let unwritable = catchError { _ = try app.xpcService.send("badAnswer", decoding: XPCValue.self) }
      XCTAssertEqual(unwritable.code, .encoding)
      XCTAssertEqual(unwritable.path, "user.tags[2]")
    }
  }

  func testNamesOfTheChannelAndSecondHandlersAreRefused() throws {
    let app = try HazardApp.swift.launch()
    let faults = Collected<XPCError.Code>()
    app.xpcService.onFault = { faults.append($0.code) }
    XCTAssertEqual(app.xpcService.on("$auth.contacts") {}.error?.code, .unsupported)
    let first = app.xpcService.on("twice") {}
    XCTAssertNil(first.error)
    XCTAssertEqual(app.xpcService.on("twice") {}.error?.code, .duplicateHandler)
    first.remove()
    XCTAssertNil(app.xpcService.on("twice") {}.error)
    for _ in 0..<200 where faults.all.count < 2 { usleep(5000) }
    XCTAssertEqual(Set(faults.all), [.unsupported, .duplicateHandler])
    app.close()
  }

  func testChildrenOfTheAppInheritNeitherTheVariableNorTheDescriptors() throws {
    try forEachApp { app, _ in
      XCTAssertNil(try app.xpcService.send("environment", decoding: String?.self))
      let done = expectation(description: "the grandchild")
      app.xpcService.sendAsync("grandchildSees", decoding: String.self) { result in
        let seen = (try? result.get()) ?? ""
        XCTAssertTrue(seen.contains(" -> "), seen)
        XCTAssertFalse(seen.contains("FAIRLEAD_XPC"), seen)
        XCTAssertFalse(seen.contains("/fairlead-"), seen)
        done.fulfill()
      }
      wait(for: [done], timeout: 20)
    }
  }

  func testNoPortIsOpenDuringTheExchange() throws {
    try forEachApp { app, _ in
      var listening = Set<String>()
      for table in ["tcp", "tcp6"] {
        let path = "/proc/\(app.pid)/net/\(table)"
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst() {
          let fields = line.split(separator: " ")
          if fields[3] == "0A" { listening.insert("socket:[\(fields[9])]") }
        }
      }
      let links: [String] = try app.xpcService.send("openSockets")
      XCTAssertFalse(links.isEmpty)
      XCTAssertTrue(listening.isDisjoint(with: links))
    }
  }

  // MARK: The end of an app

  func testClosingAnAppLetsItExitByItself() throws {
    for kind in HazardApp.allCases {
      let app = try kind.launch()
      XCTAssertEqual(app.close(), .code(0))
      XCTAssertEqual(catchError { try app.xpcService.send("ping") }.code, .connectionLost)
    }
  }

  func testFiveThousandPostsBeforeTheExitAllArrive() throws {
    for kind in HazardApp.allCases {
      let app = try kind.launch()
      let seen = Collected<Int>()
      let done = expectation(description: "all")
      app.xpcService.on("counted", decoding: Int.self) { index in
        seen.append(index)
        if index == 4999 { done.fulfill() }
      }
      try app.xpcService.post("postAndExit", 5000)
      wait(for: [done], timeout: 20)
      XCTAssertEqual(seen.all, Array(0..<5000), "\(kind)")
      XCTAssertEqual(app.waitForExit(), .code(0), "\(kind)")
    }
  }

  func testKillingTheAppFailsABlockedSendAtOnceWithTheSignal() throws {
    for kind in HazardApp.allCases {
      let app = try kind.launch()
      try app.xpcService.send("dieSoon", 30)
      let started = Date()
      let error = catchError { try app.xpcService.send("slow", 20_000, timeout: 30) }
      XCTAssertLessThan(Date().timeIntervalSince(started), 2.5)
      XCTAssertEqual(error.code, .connectionLost)
      XCTAssertTrue(error.description.contains("SIGKILL") && error.description.contains("\(app.pid)"), "\(error)")
      XCTAssertEqual(app.waitForExit(), .signal(SIGKILL))
    }
  }

  func testKillingTheAppFailsAnAsynchronousSendAndEverySendAfterIt() async throws {
    for kind in HazardApp.allCases {
      let app = try kind.launch()
      let error = await catchError { try await app.xpcService.sendAsync("die") }
      XCTAssertEqual(error.code, .connectionLost)
      XCTAssertTrue(error.description.contains("SIGKILL"), "\(error)")
      XCTAssertEqual(catchError { try app.xpcService.send("ping") }.code, .connectionLost)
      XCTAssertEqual(catchError { try app.xpcService.post("note", 1) }.code, .connectionLost)
    }
  }

  func testTheEndOfTheAppIsSeenEvenIfItsOwnChildHoldsThePipes() throws {
    for kind in HazardApp.allCases {
      let app = try kind.launch()
      let holder: Int = try app.xpcService.send("leaveGrandchild")
      try app.xpcService.send("dieSoon", 20)
      let started = Date()
      let error = catchError { try app.xpcService.send("slow", 20_000, timeout: 30) }
      XCTAssertLessThan(Date().timeIntervalSince(started), 2.5, "\(kind)")
      XCTAssertEqual(kill(pid_t(holder), SIGKILL), 0)
      XCTAssertTrue(error.description.contains("SIGKILL"), "\(error)")
    }
  }
}
