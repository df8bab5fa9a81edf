import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import classes from './live-news.module.css'
import { followNews, showNews, useNews, watchPage } from './live-store.ts'
import { describeNews } from './news.ts'
import { findWatchedPage } from './watched-pages.ts'

/** Says above the page what has changed since it was loaded, and loads it when it is clicked. */
export function LiveNews({ workspaceId }: { workspaceId: number | undefined }) {
  const { pathname } = useLocation()
  const news = useNews()
  useEffect(() => followNews(), [workspaceId])
  useEffect(() => watchPage(pathname), [pathname])
  const text = describeNews(news, findWatchedPage(pathname)?.id !== null)
  return (
    <div role="status" className={classes['root']}>
      {text !== undefined && (
        <Button
          className={classes['pill']}
          size="compact-sm"
          radius="xl"
          leftSection={<RefreshCw size={14} aria-hidden />}
          onClick={show}
        >
          {text}
        </Button>
      )}
    </div>
  )
}

/** The button goes with the news, so the focus moves to the content. */
function show(): void {
  showNews()
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  scrollTo({ top: 0 })
}
