import type { Platform } from '@fairlead/contract'
import type { IncomingHttpHeaders } from 'node:http'

/** What a browser tells of the device it runs on. */
export interface Device {
  /** Null for a desktop, and for whatever is neither. */
  platform: Platform | null
  /** Such as `17.4.1`; null where the browser keeps it to itself. */
  osVersion: string | null
  /** Which of Apple's two it is, where it says so. */
  family: 'iphone' | 'ipad' | null
  /** iPadOS presents itself as a Mac, so every Mac may be an iPad. */
  mayBeIpad: boolean
  /** The page is shown inside another app, whose browser seldom hands files to the installer. */
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

/** The system's place in the text stands still since iOS 26, at 18.6 or 18.7; the version of Safari goes on. */
function findIosVersion(agent: string): string | null {
  const safari = /\bVersion\/(\d+(?:\.\d+)*)/.exec(agent)?.[1]
  const system = /\bOS (\d+(?:_\d+)*) like Mac/.exec(agent)?.[1]?.replaceAll('_', '.')
  const installer = /\biOS\/(\d+(?:\.\d+)*)/.exec(agent)?.[1]
  if (safari !== undefined && Number.parseInt(safari, 10) >= 26) return safari
  if (system !== undefined && /^18\.[67]\b/.test(system) && safari === undefined) return null
  return system ?? installer ?? safari ?? null
}

/** Chromium says `Android 10; K` on every device, and the truth only in a hint that is asked for. */
function findAndroidVersion(agent: string): string | null {
  if (/\bAndroid 10; K\)/.test(agent)) return null
  return /\bAndroid (\d+(?:\.\d+)*)/.exec(agent)?.[1] ?? null
}

function findHintedVersion(headers: IncomingHttpHeaders): string | null {
  const hint = headers['sec-ch-ua-platform-version']
  return /^"(\d+(?:\.\d+)*)"$/.exec(typeof hint === 'string' ? hint : '')?.[1] ?? null
}

/** Asks Chromium for the version of Android; it repeats the request with it, over HTTPS only. */
export const deviceHints = {
  'accept-ch': 'Sec-CH-UA-Platform-Version',
  'critical-ch': 'Sec-CH-UA-Platform-Version',
  vary: 'Accept, Accept-Language, User-Agent, Sec-CH-UA-Platform-Version',
}
