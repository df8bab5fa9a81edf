import type { Platform } from '@fairlead/contract'
import { useState } from 'react'
import classes from './app-icon.module.css'

interface AppIconProps {
  iconUrl: string | null
  name: string
  platform: Platform
  size?: number
}

/** An app's own icon, or its first letter where it has none. Decoration: the name always stands beside it. */
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

/** From this very server, under whichever of its names the page was opened. */
function toLocalUrl(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}

/** What people see as one letter, though it may be several code points. */
function toFirstLetter(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return first?.segment.toUpperCase() ?? '?'
}
