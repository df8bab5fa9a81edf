/** An app whose sign-in is secret. */
import { xpcService } from '@fairlead/channel/app'

xpcService?.keepSecret('signIn', 'token')
xpcService?.on('signIn', { decoding: Object, encoding: Object }, (content) => {
  xpcService?.post('token', 'xyzzy-posted')
  return { session: 'xyzzy-answered', content }
})
xpcService?.on('fail', { decoding: String }, () => {
  throw new Error('open')
})
