import { compareNewest } from '../early/compare-newest.ts'
import { earlyClient as api } from '../early/client.ts'
import { type EarlyPage, toPattern } from './early-page.ts'
import { join, showRows, toRelease } from './first-look.ts'
import { listBuilds, listFeedback, readBuildsSearch, readFeedbackSearch } from '../early/requests.ts'
import { formatCount, formatRelative } from '../ui/format.ts'

const platformNames = { android: 'Android', ios: 'iOS' }

export const applicationPages: EarlyPage[] = [
  {
    path: /^\/(applications\/?)?$/,
    show: async () => {
      const asked = api.applications.list()
      void send(api.applications.listOverviewLines())
      const applications = await asked
      const rows = applications.toSorted(compareNewest).map(({ id, name, platform, latestBuild }) => ({
        text: name,
        href: `/applications/${id}`,
        detail: join(platformNames[platform], latestBuild ? toRelease(latestBuild) : 'No builds'),
      }))
      showRows('Applications', rows)
    },
  },
  {
    path: toPattern('/applications/#'),
    load: () => import('../overviews/OverviewPage.tsx'),
    show: async ({ first: id }) => {
      const asked = api.applications.get(id)
      const { newestBuild: build, newCrashGroups } = await api.applications.getOverview(id)
      const { name } = await asked
      const ofBuild = build && {
        text: toRelease(build),
        href: `/builds/${build.id}`,
        detail: formatRelative(build.uploadedDate),
      }
      const ofGroups = newCrashGroups.worst.map((group) => ({
        text: group.title,
        href: `/applications/${id}/crashes/${group.id}`,
        detail: formatCount(group.crashCount, 'crash', 'crashes'),
      }))
      showRows(name, [
        ...(ofBuild ? [ofBuild] : []),
        ...ofGroups,
        { text: 'Builds', href: `/applications/${id}/builds` },
      ])
    },
  },
  {
    path: toPattern('/applications/#/builds'),
    show: async ({ first: id }, search) => {
      const asked = listBuilds(api, id, readBuildsSearch(search))
      void send(api.applications.get(id), api.groups.list(), api.builds.listBranches(id))
      const { items } = await asked
      const rows = items.map((build) => ({
        text: toRelease(build),
        href: `/builds/${build.id}`,
        detail: join(build.source?.branch, formatRelative(build.uploadedDate)),
      }))
      showRows('Builds', rows, 'No builds yet')
    },
  },
  {
    path: toPattern('/builds/#'),
    show: async ({ first: id }) => {
      const build = await api.builds.get(id)
      showRows(`${build.name} ${toRelease(build)}`, [
        { text: 'Open the install page', href: build.installUrl, detail: build.releaseNotes },
        { text: 'Download', href: `/v1/builds/${id}/binary` },
      ])
      await send(api.applications.get(build.applicationId), api.security.getInstallLink(id))
    },
  },
  {
    path: toPattern('/applications/#/links'),
    load: () => import('../latest-links/LatestLinksPage.tsx'),
    show: async ({ first: id }) => {
      const asked = api.latestLinks.list(id)
      void send(api.applications.get(id))
      const links = await asked
      showRows(
        'Latest links',
        links.map(({ name, url, build }) => ({ text: name, href: url, detail: build ? toRelease(build) : 'No build' })),
      )
    },
  },
  {
    path: toPattern('/applications/#/retention'),
    load: () => import('../retention/RetentionPage.tsx'),
    show: async ({ first: id }) => {
      const asked = api.retention.listTrashPage(id, { limit: 50 })
      void send(api.applications.get(id), api.retention.get(id), api.retention.listRuns(id))
      const { items } = await asked
      showRows('Retention', [
        { text: items.length === 0 ? 'The trash is empty' : 'Builds in the trash:' },
        ...items.map((build) => ({ text: toRelease(build), detail: formatRelative(build.uploadedDate) })),
      ])
    },
  },
  {
    path: toPattern('/applications/#/feedback'),
    load: () => import('../feedback/FeedbackPage.tsx'),
    show: async ({ first: id }, search) => {
      const asked = listFeedback(api, id, readFeedbackSearch(search))
      void send(api.applications.get(id))
      const { items } = await asked
      const rows = items.map(({ text, createdDate }) => ({ text, detail: formatRelative(createdDate) }))
      showRows('Feedback', rows, 'No feedback')
    },
  },
  {
    path: toPattern('/applications/#/alerts'),
    load: () => import('../alerts/AlertsPage.tsx'),
    show: async ({ first: id }) => {
      const asked = api.alerts.listRules(id)
      void send(api.applications.get(id), api.alerts.listFired(id, { limit: 50 }))
      const rules = await asked
      showRows(
        'Alerts',
        rules.map(({ name }) => ({ text: name })),
        'No rules',
      )
    },
  },
  {
    path: toPattern('/applications/#/symbols'),
    load: () => import('../symbols/SymbolsPage.tsx'),
    show: async ({ first: id }) => {
      const asked = api.symbols.list(id)
      void send(api.applications.get(id))
      const files = await asked
      const rows = files.map((file) => ({
        text: toRelease(file) === '' ? file.kind : toRelease(file),
        detail: join(file.kind, file.bundleIdentifier, formatRelative(file.uploadedDate)),
      }))
      showRows('Symbols', rows, 'No symbols yet')
    },
  },
  {
    path: toPattern('/applications/#/crash'),
    load: () => import('../symbols/CrashPage.tsx'),
    show: showApplication,
  },
  {
    path: toPattern('/applications/#/ci'),
    load: () => import('../applications/UploadByScriptPage.tsx'),
    show: showApplication,
  },
  {
    path: toPattern('/applications/#/settings'),
    load: () => import('../applications/ApplicationSettingsPage.tsx'),
    show: showApplication,
  },
]

async function showApplication({ first: id }: { first: number }): Promise<void> {
  const { name, alias } = await api.applications.get(id)
  showRows(name, [{ text: 'Builds', href: `/applications/${id}/builds`, detail: alias }])
}

/**
 * Sends requests whose answers the first look does not show. The dashboard asks again where one failed. What is shown
 * is asked for before: where few connections are left, a later request waits until an earlier one is answered.
 */
export async function send(...requests: Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(requests)
}
