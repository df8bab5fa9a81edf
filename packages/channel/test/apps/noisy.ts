/** An app that writes to stdout and stderr all the time and answers with its own number. */
import { xpcService } from '@fairlead/channel/app'

const noise = 'x'.repeat(10_000)
setInterval(() => {
  process.stdout.write(`${noise}\n`)
  process.stderr.write(`${noise}\n`)
}, 1)
xpcService?.on('number', { encoding: Number }, () => Number(process.argv[2]))
