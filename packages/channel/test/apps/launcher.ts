/** Another tool: launches what its arguments say, twice when told so, with its own environment. */
import { spawn } from 'node:child_process'

const [appPath = '', count = '1'] = process.argv.slice(2)
for (let index = 0; index < Number(count); index++) {
  spawn(process.execPath, [appPath, String(index)], { stdio: 'inherit' })
}
