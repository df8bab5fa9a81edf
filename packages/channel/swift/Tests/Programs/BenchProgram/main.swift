// Both sides of the measurement: as an app it answers; as a test it reads lines `name rounds size` and prints the
// microseconds per round trip.
import FairleadChannel
import FairleadChannelTesting
import Foundation

struct Content: Codable {
  var id = 12_345
  var name = "user number one"
  var tags = ["a", "b", "c"]
  var active = true
  var score = 0.25
  var text = ""
}

@Sendable func register(_ service: AppService) {
  service.on("echo", decoding: Content.self, encoding: Content.self) { $0 }
  service.on("nothing") {}
  service.on("note", decoding: Content.self) { _ in }
}

if let service = xpcService {
  register(service)
  service.activate(on: .channel)
  while true { sleep(1000) }
}

@Sendable func createContent(_ size: Int) -> Content {
  var content = Content()
  let empty = #"{"id":12345,"name":"user number one","tags":["a","b","c"],"active":true,"score":0.25,"text":""}"#
  content.text = String(String(repeating: "abcdefghij", count: size / 10 + 1).prefix(max(size - empty.utf8.count, 0)))
  return content
}

func measure(_ rounds: Int, _ body: () throws -> Void) rethrows -> Double {
  let start = DispatchTime.now().uptimeNanoseconds
  for _ in 0..<rounds { try body() }
  return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e3 / Double(rounds)
}

let app = try LaunchedApp(CommandLine.arguments[0])
let service = app.xpcService
while let line = readLine() {
  let words = line.split(separator: " ")
  let (rounds, content) = (Int(words[1])!, createContent(Int(words[2])!))
  let taken: Double
  switch words[0] {
  case "nothing": taken = try measure(rounds) { try service.send("nothing") }
  case "send": taken = try measure(rounds) { _ = try service.send("echo", content, decoding: Content.self) }
  case "post":
    taken = try measure(rounds) { try service.post("note", content) }
    try service.send("nothing", timeout: 60)
  default: fatalError("unknown: \(line)")
  }
  print(String(format: "%.4f", taken))
  fflush(nil)
}
