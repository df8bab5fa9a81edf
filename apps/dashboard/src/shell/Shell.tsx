import { Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../api/session.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useIsIdle } from '../ui/when-idle.ts'
import { Brand } from './Brand.tsx'
import { useUploads } from '../builds/upload-store.ts'
import { Navigation } from './Navigation.tsx'
import { OfflineNote } from './OfflineNote.tsx'
import classes from './shell.module.css'

const UploadTray = lazyPart(async () => (await import('../builds/UploadTray.tsx')).UploadTray)

const loadDrawer = () => import('./NavigationDrawer.tsx')
const NavigationDrawer = lazyPart(async () => (await loadDrawer()).NavigationDrawer)

/** The frame of every page that needs an account: the navigation at the side, or in a drawer on narrow screens. */
export function Shell() {
  const hasUploads = useUploads().length > 0
  const session = useSession()
  const router = useRouter()
  const { pathname } = useLocation()
  const [isOpen, drawer] = useDisclosure()
  const isIdle = useIsIdle()
  useEffect(() => drawer.close(), [pathname, drawer.close])
  const isSignedIn = session !== undefined
  // The route redirects to the sign-in page, which leads back here.
  useEffect(() => {
    if (!isSignedIn) void router.invalidate()
  }, [isSignedIn, router])
  // Prefetch the script that menus and dialogs share, so that they open without delay.
  useEffect(() => {
    if (isIdle) void import('../ui/ConfirmDialog.tsx').catch(() => {})
  }, [isIdle])
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
        <Burger opened={isOpen} onClick={drawer.toggle} size="sm" aria-label="Navigation" aria-expanded={isOpen} />
      </nav>
      <aside className={classes['side']} aria-label="Navigation">
        <Navigation />
      </aside>
      {(isOpen || isIdle) && <NavigationDrawer isOpen={isOpen} onClose={drawer.close} />}
      <main id="main" className={classes['main']} tabIndex={-1}>
        <div className={classes['page']}>
          <OfflineNote />
          <Outlet />
        </div>
      </main>
      {hasUploads && <UploadTray />}
    </div>
  )
}
