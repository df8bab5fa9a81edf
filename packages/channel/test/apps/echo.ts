/** Answers with what it gets. */
import { xpcService } from '@fairlead/channel/app'

xpcService?.on('echo', { decoding: Object, encoding: Object }, (content) => content)
