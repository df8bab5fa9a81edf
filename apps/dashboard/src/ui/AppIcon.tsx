import type { Platform } from '@fairlead/contract'
import { useState } from 'react'
import classes from './app-icon.module.css'

interface AppIconProps {
  iconUrl: string | null
  name: string
  platform: Platform
  size?: number
}

/**
 * Shows an app's icon, or its first letter when it has none. It is decorative, because the name always stands beside
 * it.
 */
export function AppIcon({ iconUrl, name, platform, size = 40 }: AppIconProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const style = { width: size, height: size, fontSize: size * 0.44 }
  if (iconUrl === null || iconUrl === failedUrl) {
    return (
      <span className={classes['letter']} data-platform={platform} style={style} aria-hidden>
        {toFirstLetter(name)}
      </span>
    )
  }
  return (
    <img
      className={classes['icon']}
      src={toLocalUrl(iconUrl)}
      alt=""
      style={style}
      onError={() => setFailedUrl(iconUrl)}
    />
  )
}

/** Returns the path on this server, so that icons load under whatever host name the page was opened. */
function toLocalUrl(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}

/** Returns the first grapheme cluster, which may be several code points. */
function toFirstLetter(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return first?.segment.toUpperCase() ?? '?'
}
