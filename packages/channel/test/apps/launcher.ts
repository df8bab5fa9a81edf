/** Another tool that launches the command in its arguments with its own environment, twice if told so. */
import { spawn } from 'node:child_process'

const [appPath = '', count = '1'] = process.argv.slice(2)
for (let index = 0; index < Number(count); index++) {
  spawn(process.execPath, [appPath, String(index)], { stdio: 'inherit' })
}
