import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import classes from './charts.module.css'

export interface ChartLinkProps {
  /** A path of the dashboard. */
  href: string
  /** The accessible name of the mark, such as its day and its value. */
  text: string
  /** Whether the Tab key stops here until the arrow keys have chosen another mark. */
  isFirst: boolean
  onShow: (text: string | null) => void
  children: ReactNode
}

/** A mark of a chart that is a link. */
export function ChartLink({ href, text, isFirst, onShow, children }: ChartLinkProps) {
  const router = useRouter()
  const follow = (event: MouseEvent) => {
    // With a modifier, the browser opens the link elsewhere.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void router.navigate({ href })
  }
  return (
    <a
      href={href}
      className={classes['link']}
      aria-label={text}
      tabIndex={isFirst ? 0 : -1}
      onClick={follow}
      onFocus={() => onShow(text)}
      onBlur={() => onShow(null)}
      onPointerEnter={() => onShow(text)}
      onPointerLeave={() => onShow(null)}
    >
      {children}
    </a>
  )
}
