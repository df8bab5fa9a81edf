// An app for the exchange that every app side must support, and for values that JSON lacks.
import FairleadChannel
import Foundation

struct OutOfSwift: LocalizedError {
  var errorDescription: String? { "out of Swift" }
}

struct Said: Codable {
  let index: Int
}

/// Handlers on the thread of the channel must not belong to the main actor, as those at the top level do.
@Sendable func register(_ service: AppService) {
  service.on("echo", decoding: XPCValue.self, encoding: XPCValue.self) { $0 }
  service.on("descend", decoding: Int.self, encoding: Int.self) { depth in
    depth == 0 ? 0 : try service.send("descend", depth - 1, decoding: Int.self) + 1
  }
  service.on("fail") { throw OutOfSwift() }
  service.on("say", decoding: Int.self) { count in
    for index in 0..<count { try service.post("said", Said(index: index)) }
  }
  service.on("askAsync") { try service.send("asyncInTest") }
}

guard let service = xpcService else {
  print("not under test")
  exit(0)
}
register(service)
service.activate(on: CommandLine.arguments.contains("channel") ? .channel : .main)
dispatchMain()
