import type { Io } from '../io.ts'

/** Uses the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` if this version of Node can (24.14 and later). */
export async function useProxies(io: Io): Promise<void> {
  const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = io.env
  const isSet = [HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy].some((value) => (value ?? '') !== '')
  if (!isSet) return
  // Older releases of Node do not have this function. The module is loaded here because it takes ten milliseconds.
  const { setGlobalProxyFromEnv }: { setGlobalProxyFromEnv?: () => unknown } = await import('node:http')
  setGlobalProxyFromEnv?.()
}
