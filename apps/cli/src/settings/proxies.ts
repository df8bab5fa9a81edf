import type { Io } from '../io.ts'

/** Uses the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` if this version of Node can (24.14 and later). */
export function useProxies(io: Io): void {
  const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = io.env
  const isSet = [HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy].some((value) => (value ?? '') !== '')
  if (!isSet) return
  // Older releases of Node do not have this function. An import of the module would load `fetch`, which takes 40 ms.
  const { setGlobalProxyFromEnv }: { setGlobalProxyFromEnv?: () => unknown } = process.getBuiltinModule('node:http')
  setGlobalProxyFromEnv?.()
}
