import type { Platform } from '@fairlead/contract'
import { useState } from 'react'
import classes from './app-icon.module.css'

interface AppIconProps {
  iconUrl: string | null
  name: string
  platform: Platform
  size?: number
}

/** An app's icon, or its first letter if it has none. It is decorative, because the name always stands beside it. */
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
      loading="lazy"
      decoding="async"
      src={toLocalUrl(iconUrl)}
      alt=""
      width={size}
      height={size}
      style={style}
      onError={() => setFailedUrl(iconUrl)}
    />
  )
}

/** Removes the host name, because the page may be open under another name of the server. */
function toLocalUrl(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}

/** The first grapheme cluster in upper case: one visible letter may be several code points. */
function toFirstLetter(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return first?.segment.toUpperCase() ?? '?'
}
