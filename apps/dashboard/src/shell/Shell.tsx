import { Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../api/session.ts'
import { lazyDialog, lazyPart } from '../ui/lazy-part.tsx'
import { useIdleScript } from '../ui/when-idle.ts'
import { Brand } from './Brand.tsx'
import { FindButton } from './FindButton.tsx'
import { useUploads } from '../uploads/upload-store.ts'
import { Navigation } from './Navigation.tsx'
import { OfflineNote } from './OfflineNote.tsx'
import classes from './shell.module.css'
import { useFinder } from './use-finder.tsx'

const loadNews = () => import('../live/LiveNews.tsx')
const LiveNews = lazyPart(async () => (await loadNews()).LiveNews)

const UploadTray = lazyPart(async () => (await import('../builds/UploadTray.tsx')).UploadTray)

const loadDialogs = () => import('../ui/DialogFrame.tsx')
const loadDrawer = () => import('./NavigationDrawer.tsx')
const NavigationDrawer = lazyDialog(async () => (await loadDrawer()).NavigationDrawer)

/** The frame of every page that needs an account: the navigation at the side, or in a drawer on narrow screens. */
export function Shell() {
  const hasUploads = useUploads().length > 0
  const session = useSession()
  const router = useRouter()
  const { pathname } = useLocation()
  const [isOpen, drawer] = useDisclosure()
  useEffect(() => drawer.close(), [pathname, drawer.close])
  const isSignedIn = session !== undefined
  // The route redirects to the sign-in page, which leads back here.
  useEffect(() => {
    if (!isSignedIn) void router.invalidate()
  }, [isSignedIn, router])
  // Dialogs open without delay, because what they share is loaded before.
  useIdleScript(loadDialogs)
  const isDrawerLoaded = useIdleScript(loadDrawer)
  const areNewsLoaded = useIdleScript(loadNews)
  const { open: openFinder, finder } = useFinder()
  if (!isSignedIn) return null
  return (
    <div className={classes['root']}>
      <a className={classes['skip']} href="#main">
        Skip to the content
      </a>
      <nav className={classes['top']} aria-label="Site">
        <Link to="/applications" aria-label="Fairlead: to the applications">
          <Brand />
        </Link>
        <div className={classes['tools']}>
          <FindButton isSmall onClick={openFinder} />
          <Burger opened={isOpen} onClick={drawer.toggle} size="sm" aria-label="Navigation" aria-expanded={isOpen} />
        </div>
      </nav>
      <aside className={classes['side']} aria-label="Navigation">
        <Navigation onFind={openFinder} />
      </aside>
      {(isOpen || isDrawerLoaded) && <NavigationDrawer isOpen={isOpen} onClose={drawer.close} />}
      <main id="main" className={classes['main']} tabIndex={-1}>
        <div className={classes['page']}>
          {areNewsLoaded && <LiveNews workspaceId={session.workspace?.id} />}
          <OfflineNote />
          <Outlet />
        </div>
      </main>
      {hasUploads && <UploadTray />}
      {finder}
    </div>
  )
}
