/** Variables that begin like settings of the server but are not. */
import { isIP } from 'node:net'

/**
 * Kubernetes sets variables of this form in every pod for each Service of the namespace (`enableServiceLinks`), so that
 * a Service named `fairlead` gives `FAIRLEAD_PORT=tcp://10.0.0.1:80`. A number is a setting.
 */
export function isServiceLink(name: string, value = ''): boolean {
  if (!/^FAIRLEAD(_[A-Z0-9]+)*_/.test(name)) return false
  if (name.endsWith('_SERVICE_HOST')) return isIP(value) !== 0 || value === 'None'
  if (/_SERVICE_PORT(_[A-Z0-9_]+)?$/.test(name)) return /^\d+$/.test(value)
  if (/_PORT_\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)$/.test(name)) return true
  return /_PORT(_\d+_(TCP|UDP|SCTP))?$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value)
}

/** The variables of the command line, which a shell may have that also starts the server or makes a backup. */
const ofCommandLine = new Set([
  'FAIRLEAD_URL',
  'FAIRLEAD_TOKEN',
  'FAIRLEAD_CLI',
  'FAIRLEAD_CONFIG_DIR',
  'FAIRLEAD_CACHE_DIR',
  'FAIRLEAD_RETRY_SECONDS',
  'FAIRLEAD_BUILD_ID',
  'FAIRLEAD_INSTALL_URL',
  'FAIRLEAD_VERSION',
])

export function isOfCommandLine(name: string): boolean {
  return ofCommandLine.has(name)
}
