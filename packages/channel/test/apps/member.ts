/** An app that reports whether it runs under test. */
import { xpcService } from '@fairlead/channel/app'

xpcService?.on('index', { encoding: Number }, () => Number(process.argv[2]))
xpcService?.on('variable', { encoding: Boolean }, () => 'FAIRLEAD_XPC' in process.env)
xpcService?.on('die', {}, () => {
  process.kill(process.pid, 'SIGKILL')
})
if (!xpcService) console.log('not under test')
