// A test process of its own: it launches the app in its arguments, prints its pid, and is killed or exits.
import FairleadChannel
import FairleadChannelTesting
import Foundation

let arguments = CommandLine.arguments
let app = try LaunchedApp(
  arguments[1], arguments: ["log"], whenTestEnds: arguments[2] == "continue" ? .continue : .exit)
print(app.pid)
fflush(nil)
if arguments[3] == "exit" { exit(0) }
try app.xpcService.send("block", 60_000, timeout: 60)
