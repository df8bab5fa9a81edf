/** An app that answers with the content it receives. */
import { xpcService } from '@fairlead/channel/app'

xpcService?.on('echo', { decoding: Object, encoding: Object }, (content) => content)
