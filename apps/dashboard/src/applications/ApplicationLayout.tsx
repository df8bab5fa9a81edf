import { Group, Stack, Text, Title } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useCan } from '../api/session.ts'
import { AppIcon } from '../ui/AppIcon.tsx'
import { Breadcrumb } from '../ui/Breadcrumb.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { useDocumentTitle } from '../ui/document-title.ts'
import { PlatformBadge } from '../ui/PlatformBadge.tsx'
import { TopHeading } from '../ui/top-heading.ts'
import classes from './application.module.css'
import { applicationQuery } from './queries.ts'

const route = getRouteApi('/shell/applications/$applicationId')

/** The titles of an application's pages by the rest of their path. What shows one thing is titled by its name. */
const titles: Partial<Record<string, string>> = {
  builds: 'Builds',
  links: 'Latest links',
  feedback: 'Feedback',
  retention: 'Retention',
  alerts: 'Alerts',
  tests: 'Tests',
  'tests/all': 'All tests',
  symbols: 'Symbols',
  crashes: 'Crashes',
  'crash-rules': 'Grouping rules',
  'crash-set-up': 'Set-up of crashes',
  stability: 'Stability',
  crash: 'Read a crash',
  ci: 'Upload from CI',
  settings: 'Settings',
}

/** Pages that are reached from the list of crashes and have no tab of their own. */
const crashPages = new Set(['crash-reports', 'crash-rules', 'crash-set-up', 'stability'])

/** Otherwise a link to a parent page would say that it is the page that is open. */
const exact = { exact: true }

/** Shows an application's name, the links to its pages, and the page that is open. */
export function ApplicationLayout() {
  const { applicationId } = route.useParams()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  const isAdmin = useCan('admin')
  const { pathname } = useLocation()
  const [part = '', ...below] = pathname.split('/').slice(3).filter(Boolean)
  const tabs = useRef<HTMLElement>(null)
  // On a phone the tabs are wider than the screen.
  useEffect(() => {
    const nav = tabs.current
    const open = nav?.querySelector<HTMLElement>('[aria-current]')
    if (nav && open) nav.scrollLeft = open.offsetLeft - nav.offsetLeft - (nav.clientWidth - open.offsetWidth) / 2
  }, [part])
  const title = titles[[part, ...below].join('/')]
  const isOverview = part === ''
  const isBelowCrashes = crashPages.has(part) || (part === 'crashes' && below.length > 0)
  useDocumentTitle(isOverview ? application.name : title === undefined ? null : `${title} · ${application.name}`)
  const params = { applicationId }
  return (
    <>
      <Breadcrumb>
        <Link to="/applications" activeOptions={exact}>
          Applications
        </Link>
        {isBelowCrashes && (
          <>
            <Link to="/applications/$applicationId" params={params} activeOptions={exact}>
              {application.name}
            </Link>
            <Link to="/applications/$applicationId/crashes" params={params} activeOptions={exact}>
              Crashes
            </Link>
            {title !== undefined && <span aria-current="page">{title}</span>}
          </>
        )}
      </Breadcrumb>
      <Group gap="md" wrap="nowrap" align="flex-start" mb="md">
        <AppIcon {...application} size={56} />
        <Stack gap={2} miw={0}>
          <Title order={1} className="break">
            {application.name}
          </Title>
          <Group gap={4}>
            <PlatformBadge platform={application.platform} />
            <Text ml={4} size="sm" c="dimmed" className="break">
              {application.alias}
            </Text>
            <CopyButton value={application.alias} label="Copy the alias" />
          </Group>
        </Stack>
      </Group>
      <nav ref={tabs} className={classes['tabs']} aria-label={application.name}>
        <Link to="/applications/$applicationId" params={params} activeOptions={{ exact: true, includeSearch: false }}>
          Overview
        </Link>
        <Link to="/applications/$applicationId/builds" params={params} activeOptions={{ includeSearch: false }}>
          Builds
        </Link>
        <Link to="/applications/$applicationId/links" params={params}>
          Latest links
        </Link>
        <Link to="/applications/$applicationId/feedback" params={params} activeOptions={{ includeSearch: false }}>
          Feedback
        </Link>
        <Link to="/applications/$applicationId/retention" params={params}>
          Retention
        </Link>
        <Link to="/applications/$applicationId/alerts" params={params}>
          Alerts
        </Link>
        <Link
          to="/applications/$applicationId/crashes"
          params={params}
          activeOptions={{ includeSearch: false }}
          aria-current={crashPages.has(part) ? 'page' : undefined}
        >
          Crashes
        </Link>
        <Link to="/applications/$applicationId/tests" params={params} activeOptions={{ includeSearch: false }}>
          Tests
        </Link>
        <Link to="/applications/$applicationId/symbols" params={params}>
          Symbols
        </Link>
        <Link to="/applications/$applicationId/crash" params={params}>
          Read a crash
        </Link>
        <Link to="/applications/$applicationId/ci" params={params}>
          Upload from CI
        </Link>
        {isAdmin && (
          <Link to="/applications/$applicationId/settings" params={params}>
            Settings
          </Link>
        )}
      </nav>
      <TopHeading value={2}>
        <Outlet />
      </TopHeading>
    </>
  )
}
