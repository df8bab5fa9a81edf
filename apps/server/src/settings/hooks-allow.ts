import { BlockList, isIP } from 'node:net'
import { invariant } from '@fairlead/invariant'

/** What an operator lets hooks reach inside the own network, from `FAIRLEAD_HOOKS_ALLOW`. */
export interface HooksAllow {
  networks: { list: BlockList; port: number | null }[]
  hosts: { name: string; port: number | null }[]
}

const hostPattern = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/

/** Parses addresses, networks and host names with optional ports, separated by commas. Returns the fault as text. */
export function parseHooksAllow(text: string): HooksAllow | string {
  const allow: HooksAllow = { networks: [], hosts: [] }
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue
    if (!addEntry(allow, part)) {
      const example = '10.2.0.0/16,[fd00::]/8:443,chat.example.lan'
      const named = JSON.stringify(part.slice(0, 100))
      return `must hold addresses, networks and host names such as ${example}; ${named} is none`
    }
  }
  return allow
}

function addEntry(allow: HooksAllow, part: string): boolean {
  const entry = splitEntry(part)
  if (!entry) return false
  const { host, prefix } = entry
  const port = entry.port === undefined ? null : Number(entry.port)
  if (port !== null && (port < 1 || port > 65_535)) return false
  const family = isIP(host)
  if (family === 0) {
    const name = host.toLowerCase()
    // A name whose last part is a number would be an address to a URL.
    if (prefix !== undefined || !hostPattern.test(name) || /(^|\.)\d+$/.test(name)) return false
    allow.hosts.push({ name, port })
    return true
  }
  const longest = family === 4 ? 32 : 128
  const bits = prefix === undefined ? longest : Number(prefix)
  if (bits > longest) return false
  const list = new BlockList()
  list.addSubnet(host, bits, family === 4 ? 'ipv4' : 'ipv6')
  allow.networks.push({ list, port })
  return true
}

function splitEntry(part: string): { host: string; prefix: string | undefined; port: string | undefined } | undefined {
  const [bare = '', barePrefix] = part.split('/')
  if (isIP(bare) === 6 && /^[^/]+(\/\d{1,3})?$/.test(part)) return { host: bare, prefix: barePrefix, port: undefined }
  const match = /^(?:\[([^\]%]+)\]|([^/:[\]]+))(?:\/(\d{1,3}))?(?::(\d{1,5}))?$/.exec(part)
  if (!match) return undefined
  const [, bracketed, plain, prefix, port] = match
  if (bracketed !== undefined && isIP(bracketed) !== 6) return undefined
  const host = bracketed ?? plain
  invariant(host !== undefined, 'the expression has one of the two')
  return { host, prefix, port }
}
