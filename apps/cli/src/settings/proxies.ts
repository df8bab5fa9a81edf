import * as http from 'node:http'
import type { Io } from '../io.ts'

/** Goes through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, where this Node can (24.14 and later). */
export function useProxies(io: Io): void {
  const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = io.env
  const isSet = [HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy].some((value) => (value ?? '') !== '')
  // Older types and older releases of Node do not know this function.
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: () => unknown }
  if (isSet) setGlobalProxyFromEnv?.()
}
