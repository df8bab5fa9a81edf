import type { Application, Role } from '@fairlead/contract'
import type { LinkProps } from '@tanstack/react-router'
import type { Found } from './found.ts'

interface PageEntry {
  to: NonNullable<LinkProps['to']>
  title: string
  /** Other words by which people look for it. */
  words: string
  /** Who can open it; without a role, everybody. */
  for?: Role | 'serverAdmin'
}

const workspacePages: PageEntry[] = [
  { to: '/applications', title: 'Applications', words: 'home apps new application' },
  { to: '/groups', title: 'Groups', words: 'distribution new group' },
  { to: '/testers', title: 'Testers', words: 'people add tester' },
  { to: '/devices', title: 'Devices', words: 'udid iphone provisioning', for: 'developer' },
  { to: '/agents', title: 'Coding agents', words: 'mcp assistant' },
  { to: '/start', title: 'Get started', words: 'onboarding first build', for: 'admin' },
  { to: '/tokens', title: 'API tokens', words: 'new token ci key', for: 'admin' },
  { to: '/members', title: 'Members', words: 'invite colleague role people', for: 'admin' },
  { to: '/hooks', title: 'Hooks', words: 'webhook chat new hook', for: 'admin' },
  { to: '/outbox', title: 'Outbox', words: 'mails email held', for: 'admin' },
  { to: '/audit', title: 'Audit log', words: 'history who', for: 'admin' },
  { to: '/workspace', title: 'Workspace', words: 'settings name second factor', for: 'admin' },
  { to: '/server', title: 'Server', words: 'settings sign-in providers', for: 'serverAdmin' },
  { to: '/account', title: 'My account', words: 'settings password sessions second factor' },
]

const applicationPages: PageEntry[] = [
  { to: '/applications/$applicationId', title: 'Overview', words: 'home health' },
  { to: '/applications/$applicationId/builds', title: 'Builds', words: 'versions upload' },
  { to: '/applications/$applicationId/crashes', title: 'Crashes', words: 'groups errors' },
  { to: '/applications/$applicationId/tests', title: 'Tests', words: 'runs' },
  { to: '/applications/$applicationId/tests/all', title: 'All tests', words: 'flaky slow failing quarantined' },
  { to: '/applications/$applicationId/stability', title: 'Stability', words: 'crash-free sessions adoption' },
  { to: '/applications/$applicationId/links', title: 'Latest links', words: 'qr newest install' },
  { to: '/applications/$applicationId/feedback', title: 'Feedback', words: 'testers screenshots' },
  { to: '/applications/$applicationId/alerts', title: 'Alerts', words: 'rules notify' },
  { to: '/applications/$applicationId/retention', title: 'Retention', words: 'delete old builds trash' },
  { to: '/applications/$applicationId/symbols', title: 'Symbols', words: 'mapping dsym upload' },
  { to: '/applications/$applicationId/crash', title: 'Read a crash', words: 'symbolicate stack trace' },
  { to: '/applications/$applicationId/crash-rules', title: 'Grouping rules', words: 'crashes' },
  { to: '/applications/$applicationId/crash-set-up', title: 'Set-up of crashes', words: 'dsn key sdk' },
  { to: '/applications/$applicationId/ci', title: 'Upload from CI', words: 'curl script' },
  { to: '/applications/$applicationId/settings', title: 'Settings', words: 'rename delete application', for: 'admin' },
]

interface Rights {
  can: (role: Role) => boolean
  isServerAdmin: boolean
}

export type FoundPage = Found & { words: string }

/** Lists the pages of the workspace that the account can open. */
export function listWorkspacePages(rights: Rights): FoundPage[] {
  return workspacePages
    .filter((page) => mayOpen(page, rights))
    .map(({ to, title, words }) => ({ key: `page ${to}`, title, words, target: { to } }))
}

/** Lists the pages of an application that the account can open. */
export function listApplicationPages({ id, name }: Application, rights: Rights): FoundPage[] {
  return applicationPages
    .filter((page) => mayOpen(page, rights))
    .map(({ to, title, words }) => ({
      key: `page ${to} ${id}`,
      title,
      detail: name,
      words,
      target: { to, params: { applicationId: id } },
    }))
}

function mayOpen(page: PageEntry, { can, isServerAdmin }: Rights): boolean {
  if (page.for === undefined) return true
  return page.for === 'serverAdmin' ? isServerAdmin : can(page.for)
}
