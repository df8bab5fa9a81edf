import { formatCount, formatRelative } from '../ui/format.ts'
import { send } from './application-pages.ts'
import { earlyClient as api } from '../early/client.ts'
import { type EarlyPage, toPattern } from './early-page.ts'
import { join, showRows } from './first-look.ts'

export const workspacePages: EarlyPage[] = [
  {
    path: toPattern('/start'),
    load: () => import('../getting-started/GettingStartedPage.tsx'),
    show: async () => {
      const asked = api.applications.list()
      void send(api.access.getBaseUrl(), api.apiTokens.list(), api.mails.getDelivery())
      const applications = await asked
      showRows('Get started', [
        { text: formatCount(applications.length, 'application'), href: '/applications' },
        { text: 'API tokens', href: '/tokens' },
      ])
    },
  },
  {
    path: toPattern('/groups'),
    load: () => import('../groups/GroupsPage.tsx'),
    show: async () => {
      const groups = await api.groups.list()
      showRows('Groups', groups.map(toGroupRow), 'No groups yet')
    },
  },
  {
    path: toPattern('/groups/#'),
    load: () => import('../groups/GroupPage.tsx'),
    show: async ({ first: id }) => {
      const asked = api.groups.get(id)
      const testers = api.groups.listTesters(id)
      // A list of a thousand testers takes a second more than what is known of their group.
      const { name, testerCount } = await asked
      showRows(name, [{ text: formatCount(testerCount, 'tester') }])
      showRows(name, (await testers).slice(0, 20).map(toPerson), 'No testers in this group')
    },
  },
  {
    path: toPattern('/testers'),
    load: () => import('../groups/TestersPage.tsx'),
    show: async () => {
      const asked = api.testers.list()
      showRows('Testers', (await api.groups.list()).map(toGroupRow))
      showRows('Testers', (await asked).slice(0, 20).map(toPerson), 'No testers yet')
    },
  },
  {
    path: toPattern('/devices'),
    load: () => import('../devices/DevicesPage.tsx'),
    show: async () => {
      const asked = api.devices.list()
      void send(api.testers.list(), api.groups.list(), api.applications.list())
      const devices = await asked
      showRows(
        'Devices',
        devices.slice(0, 100).map(({ name, udid }) => ({ text: name, detail: udid })),
      )
    },
  },
  {
    path: toPattern('/tokens'),
    load: () => import('../tokens/TokensPage.tsx'),
    show: async () => {
      const tokens = await api.apiTokens.list()
      const rows = tokens.map(({ name, role, createdDate }) => ({
        text: name,
        detail: join(role, formatRelative(createdDate)),
      }))
      showRows('API tokens', rows)
    },
  },
  {
    path: toPattern('/members'),
    load: () => import('../members/MembersPage.tsx'),
    show: async () => {
      const asked = api.members.list()
      void send(api.members.listInvitations())
      const members = await asked
      showRows(
        'Members',
        members.map(({ name, email, role }) => ({ text: name, detail: join(email, role) })),
      )
    },
  },
  {
    path: toPattern('/hooks'),
    load: () => import('../hooks/HooksPage.tsx'),
    show: async () => {
      const hooks = await api.hooks.list()
      showRows(
        'Hooks',
        hooks.map(({ id, name, url }) => ({ text: name, href: `/hooks/${id}`, detail: url })),
      )
    },
  },
  {
    path: toPattern('/hooks/#'),
    load: () => import('../hooks/HookPage.tsx'),
    show: async ({ first: id }) => {
      const asked = api.hooks.get(id)
      void send(api.hooks.listDeliveries(id, { limit: 50 }))
      const { name, url } = await asked
      showRows(name, [{ text: url ?? 'The address is hidden' }])
    },
  },
  {
    path: toPattern('/outbox'),
    load: () => import('../outbox/OutboxPage.tsx'),
    show: async () => {
      const asked = api.mails.listPage({ limit: 50 })
      void send(api.mails.getDelivery())
      const { items } = await asked
      const rows = items.map(({ subject, recipient, createdDate }) => ({
        text: subject,
        detail: join(recipient, formatRelative(createdDate)),
      }))
      showRows('Outbox', rows)
    },
  },
  {
    path: toPattern('/audit'),
    load: () => import('../audit/AuditPage.tsx'),
    show: async () => {
      const { items } = await api.security.listAuditEventsPage({ limit: 50 })
      const rows = items.map(({ action, actor, target, createdDate }) => ({
        text: join(actor.name, action),
        detail: join(target, formatRelative(createdDate)),
      }))
      showRows('Audit log', rows)
    },
  },
  {
    path: toPattern('/workspace'),
    load: () => import('../workspace/WorkspacePage.tsx'),
    show: async () => showRows((await api.workspace.get()).name, [{ text: 'Members', href: '/members' }]),
  },
  {
    path: toPattern('/agents'),
    load: () => import('../agents/AgentsPage.tsx'),
    show: async () => {
      await api.workspace.get()
      showRows('Coding agents', [{ text: `${location.origin}/mcp` }])
    },
  },
  {
    path: toPattern('/server'),
    load: () => import('../server/ServerPage.tsx'),
    show: async () => {
      const asked = api.security.listServerWorkspaces()
      void send(api.security.listServerAccounts())
      const workspaces = await asked
      showRows(
        'Server',
        workspaces.map(({ name }) => ({ text: name })),
      )
    },
  },
  {
    path: toPattern('/account'),
    load: () => import('../account/AccountPage.tsx'),
    show: async () => {
      const asked = api.security.listSessions()
      void send(api.security.getTwoFactor())
      const sessions = await asked
      showRows('My account', [{ text: formatCount(sessions.length, 'session') }])
    },
  },
]

function toGroupRow({ id, name, testerCount }: { id: number; name: string; testerCount: number }) {
  return { text: name, href: `/groups/${id}`, detail: formatCount(testerCount, 'tester') }
}

function toPerson({ email, name }: { email: string; name: string | null }) {
  return { text: name ?? email, detail: name === null ? null : email }
}
