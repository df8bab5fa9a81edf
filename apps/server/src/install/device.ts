import type { Platform } from '@fairlead/contract'
import type { IncomingHttpHeaders } from 'node:http'

/** The device that a browser runs on, as far as its headers tell. */
export interface Device {
  /** Null for desktops and unknown devices. */
  platform: Platform | null
  /** Such as `17.4.1`; null when the browser does not reveal it. */
  osVersion: string | null
  /** The device family on iOS, when the User-Agent names it. */
  family: 'iphone' | 'ipad' | null
  /** True for Macs: iPadOS sends the User-Agent of a Mac by default. */
  mayBeIpad: boolean
  /** The page is shown in another app's web view, which seldom passes downloads to the installer. */
  isInApp: boolean
}

export function readDevice(headers: IncomingHttpHeaders): Device {
  const agent = headers['user-agent'] ?? ''
  if (/\b(iPhone|iPad|iPod)\b|\biOS\//.test(agent)) {
    const isInApp = agent.includes('AppleWebKit') && !agent.includes('Safari/')
    return { platform: 'ios', osVersion: findIosVersion(agent), family: findFamily(agent), mayBeIpad: false, isInApp }
  }
  if (/\bAndroid\b/.test(agent)) {
    const osVersion = findHintedVersion(headers) ?? findAndroidVersion(agent)
    return { platform: 'android', osVersion, family: null, mayBeIpad: false, isInApp: agent.includes('; wv)') }
  }
  return { platform: null, osVersion: null, family: null, mayBeIpad: /\bMacintosh\b/.test(agent), isInApp: false }
}

function findFamily(agent: string): Device['family'] {
  if (agent.includes('iPad')) return 'ipad'
  return /iPhone|iPod/.test(agent) ? 'iphone' : null
}

/** Since iOS 26 the User-Agent freezes the system version at 18.6 or 18.7, while Safari's version goes on. */
function findIosVersion(agent: string): string | null {
  const safari = /\bVersion\/(\d+(?:\.\d+)*)/.exec(agent)?.[1]
  const system = /\bOS (\d+(?:_\d+)*) like Mac/.exec(agent)?.[1]?.replaceAll('_', '.')
  const installer = /\biOS\/(\d+(?:\.\d+)*)/.exec(agent)?.[1]
  if (safari !== undefined && Number.parseInt(safari, 10) >= 26) return safari
  if (system !== undefined && /^18\.[67]\b/.test(system) && safari === undefined) return null
  return system ?? installer ?? safari ?? null
}

/** Chromium's reduced User-Agent claims `Android 10; K` everywhere; the real version is in a client hint. */
function findAndroidVersion(agent: string): string | null {
  if (/\bAndroid 10; K\)/.test(agent)) return null
  return /\bAndroid (\d+(?:\.\d+)*)/.exec(agent)?.[1] ?? null
}

function findHintedVersion(headers: IncomingHttpHeaders): string | null {
  const hint = headers['sec-ch-ua-platform-version']
  return /^"(\d+(?:\.\d+)*)"$/.exec(typeof hint === 'string' ? hint : '')?.[1] ?? null
}

/** Requests the Android version as a client hint. Chromium repeats the request with it, over HTTPS only. */
export const deviceHints = {
  'accept-ch': 'Sec-CH-UA-Platform-Version',
  'critical-ch': 'Sec-CH-UA-Platform-Version',
  vary: 'Accept, Accept-Language, User-Agent, Sec-CH-UA-Platform-Version',
}
