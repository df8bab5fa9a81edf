/** A test process of its own: it launches the app in its arguments, prints its pid, and follows commands. */
import { launch } from '@fairlead/channel/test'

const [appPath = '', whenTestEnds = 'exit', end = 'wait'] = process.argv.slice(2)
const app = await launch({
  command: process.execPath,
  args: [appPath],
  whenTestEnds: whenTestEnds === 'continue' ? 'continue' : 'exit',
})
console.log(app.pid)
if (end === 'exit') process.exit(0)
app.xpcService.send('block', 60_000, { timeout: 60_000 })
