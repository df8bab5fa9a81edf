import { lazy } from 'react'
import { useSession } from '../api/session.ts'
import { loadScript } from '../ui/load-script.ts'
import { LazyMenu } from '../ui/LazyMenu.tsx'
import { MenuButton } from './MenuButton.tsx'

const load = () => loadScript(() => import('./AccountMenuContent.tsx'))
const AccountMenuContent = lazy(async () => ({ default: (await load()).AccountMenuContent }))

/** Shows who is signed in, and the menu of the account. */
export function AccountMenu() {
  const account = useSession()?.account
  if (!account) return null
  const { name, email } = account
  return (
    <LazyMenu
      load={load}
      button={(opening) => <MenuButton label="Account" title={name} subtitle={email} isPlain {...opening} />}
    >
      <AccountMenuContent account={account} />
    </LazyMenu>
  )
}
