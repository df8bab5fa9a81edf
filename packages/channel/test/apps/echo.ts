import { xpcService } from '@fairlead/channel/app'
xpcService?.on('echo', { decoding: Object, encoding: Object }, (x) => x)
xpcService?.on('note', { decoding: Object }, () => {})
