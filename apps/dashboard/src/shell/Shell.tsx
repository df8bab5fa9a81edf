import { Burger, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../api/session.ts'
import { UploadTray } from '../builds/UploadTray.tsx'
import { Brand } from './Brand.tsx'
import { Navigation } from './Navigation.tsx'
import classes from './shell.module.css'

/** The layout of every page after sign-in: navigation at the side, or behind a button on narrow screens. */
export function Shell() {
  const session = useSession()
  const router = useRouter()
  const { pathname } = useLocation()
  const [isOpen, drawer] = useDisclosure()
  useEffect(() => drawer.close(), [pathname, drawer.close])
  const isSignedIn = session !== undefined
  // Invalidating runs `beforeLoad` again, which redirects to the sign-in and back afterwards.
  useEffect(() => {
    if (!isSignedIn) void router.invalidate()
  }, [isSignedIn, router])
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
      <Drawer opened={isOpen} onClose={drawer.close} size="18rem" title={<Brand />} hiddenFrom="md">
        <Navigation isInDrawer />
      </Drawer>
      <main id="main" className={classes['main']} tabIndex={-1}>
        <div className={classes['page']}>
          <Outlet />
        </div>
      </main>
      <UploadTray />
    </div>
  )
}
