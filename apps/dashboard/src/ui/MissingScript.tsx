import { Button, Text } from '@mantine/core'
import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useDocumentTitle } from './document-title.ts'
import { EmptyState } from './EmptyState.tsx'
import { RoutePending } from './RoutePending.tsx'
import { useIsOnline } from './use-is-online.ts'

const reloadKey = 'fairlead-reloaded-at'
/** A page that was loaded again within this time, and still lacks its script, is not loaded again by itself. */
const pauseMs = 60_000

/**
 * Replaces a page whose script could not be loaded. The usual reason is a tab that was open during an upgrade, so the
 * page is loaded again once, which brings the scripts of the new version.
 */
export function MissingScript() {
  const isOnline = useIsOnline()
  const [wasReloaded, setReloaded] = useState(false)
  useEffect(() => {
    if (!isOnline) return
    if (takeReload()) location.reload()
    else setReloaded(true)
  }, [isOnline])
  const isLoading = isOnline && !wasReloaded
  useDocumentTitle(isLoading ? 'Loading' : 'Not loaded')
  if (isLoading) return <RoutePending />
  return (
    <EmptyState icon={CloudOff} title={isOnline ? 'A part of this page could not be loaded' : 'You are offline'} isPage>
      <Text c="dimmed" ta="center">
        {isOnline
          ? 'The server may be starting with a new version. Load the page again in a moment.'
          : 'This page needs a script that was not loaded before. Try again when you are connected.'}
      </Text>
      <Button onClick={() => location.reload()} disabled={!isOnline} variant="default">
        Load the page again
      </Button>
    </EmptyState>
  )
}

/** Tells whether the page may be loaded again by itself, and remembers that it was. */
function takeReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(reloadKey))
    sessionStorage.setItem(reloadKey, String(Date.now()))
    return Date.now() - last > pauseMs
  } catch {
    // Without storage the page could be loaded again for ever.
    return false
  }
}
