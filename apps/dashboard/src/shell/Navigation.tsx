import { Link, useLocation } from '@tanstack/react-router'
import {
  Bot,
  Boxes,
  Inbox,
  KeyRound,
  type LucideIcon,
  Rocket,
  ScrollText,
  Server,
  Settings2,
  Smartphone,
  UserRoundCheck,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react'
import { useCan, useSession } from '../api/session.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Brand } from './Brand.tsx'
import { FindButton } from './FindButton.tsx'
import classes from './navigation.module.css'
import { WorkspaceSwitcher } from './WorkspaceSwitcher.tsx'

interface NavigationProps {
  isInDrawer?: boolean
  /** Opens the finder. On a narrow screen its button is above the page, not in the drawer. */
  onFind?: () => void
}

export function Navigation({ isInDrawer = false, onFind }: NavigationProps) {
  const isAdmin = useCan('admin')
  const isDeveloper = useCan('developer')
  const isServerAdmin = useSession()?.isServerAdmin ?? false
  return (
    <div className={classes['root']}>
      {!isInDrawer && (
        <Link to="/applications" className={classes['brand']} aria-label="Fairlead: to the applications">
          <Brand />
        </Link>
      )}
      <WorkspaceSwitcher />
      {onFind && <FindButton onClick={onFind} />}
      <nav aria-label="Main" className={classes['nav']}>
        <NavigationLink to="/applications" icon={Boxes} label="Applications" />
        <NavigationLink to="/groups" icon={UsersRound} label="Groups" />
        <NavigationLink to="/testers" icon={UserRoundCheck} label="Testers" />
        {isDeveloper && <NavigationLink to="/devices" icon={Smartphone} label="Devices" />}
        <NavigationLink to="/agents" icon={Bot} label="Coding agents" />
        {isAdmin && (
          <>
            <div className={classes['heading']}>Administration</div>
            <NavigationLink to="/start" icon={Rocket} label="Get started" />
            <NavigationLink to="/tokens" icon={KeyRound} label="API tokens" />
            <NavigationLink to="/members" icon={Users} label="Members" />
            <NavigationLink to="/hooks" icon={Webhook} label="Hooks" />
            <NavigationLink to="/outbox" icon={Inbox} label="Outbox" />
            <NavigationLink to="/audit" icon={ScrollText} label="Audit log" />
            <NavigationLink to="/workspace" icon={Settings2} label="Workspace" />
          </>
        )}
        {isServerAdmin && <NavigationLink to="/server" icon={Server} label="Server" />}
      </nav>
      <AccountMenu />
    </div>
  )
}

interface NavigationLinkProps {
  to:
    | '/applications'
    | '/groups'
    | '/testers'
    | '/devices'
    | '/agents'
    | '/start'
    | '/tokens'
    | '/members'
    | '/hooks'
    | '/outbox'
    | '/audit'
    | '/workspace'
    | '/server'
  icon: LucideIcon
  label: string
}

function NavigationLink({ to, icon: Icon, label }: NavigationLinkProps) {
  // A build belongs to an application, although its URL does not begin with /applications.
  const isParent = useLocation().pathname.startsWith('/builds/') && to === '/applications'
  return (
    <Link
      to={to}
      className={classes['link']}
      activeProps={{ 'data-active': true, 'aria-current': 'page' }}
      {...(isParent && { 'data-active': true })}
    >
      <Icon size={17} strokeWidth={1.8} aria-hidden />
      {label}
    </Link>
  )
}
