import type { Crash } from '@fairlead/contract'
import { readCrashGroupsSearch } from '../early/crash-groups-search.ts'
import { toDays } from '../crashes/stability-days.ts'
import { sumReleases } from '../crashes/stability-releases.ts'
import { formatCount, formatRelative } from '../ui/format.ts'
import { formatCrashFree } from '../ui/rates.ts'
import { send } from './application-pages.ts'
import { earlyClient as api } from '../early/client.ts'
import { type EarlyPage, toPattern } from './early-page.ts'
import { join, type Row, showRows, toRelease } from './first-look.ts'
import { listCrashGroups } from '../early/requests.ts'

/** This many frames of a stack are shown. */
const maxFrames = 15

export const crashPages: EarlyPage[] = [
  {
    path: toPattern('/applications/#/crashes'),
    load: () => import('../crashes/CrashGroupsPage.tsx'),
    show: async ({ first: id }, search) => {
      const asked = listCrashGroups(api, id, readCrashGroupsSearch(search))
      void send(api.applications.get(id))
      const { items: groups } = await asked
      const rows = groups.map((group) => ({
        text: group.title,
        href: `/applications/${id}/crashes/${group.id}`,
        detail: join(group.culprit, formatCount(group.crashCount, 'crash', 'crashes'), toRelease(group.lastRelease)),
      }))
      showRows('Crashes', rows, 'No crashes')
    },
  },
  {
    path: toPattern('/applications/#/crashes/#'),
    load: () => import('../crashes/CrashGroupPage.tsx'),
    show: async ({ first: applicationId, second: id }) => {
      const asked = api.crashes.getGroup(id)
      const newest = api.crashes.listPage(id, { limit: 50 })
      void send(api.applications.get(applicationId), api.crashes.getStatistics(id))
      const group = await asked
      const rows = [{ text: join(group.culprit, formatCount(group.crashCount, 'crash', 'crashes')) }]
      showRows(group.title, rows)
      const [summary] = (await newest).items
      if (summary) showRows(group.title, [...rows, ...toFrames(await readCrash(applicationId, summary.id))])
      await send(api.crashes.explain(id), api.crashes.listTestFailures(id))
    },
  },
  {
    path: toPattern('/applications/#/crash-reports/#'),
    load: () => import('../crashes/CrashReportPage.tsx'),
    show: async ({ first: applicationId, second: id }) => {
      const asked = readCrash(applicationId, id)
      void send(api.applications.get(applicationId))
      const crash = await asked
      const device = [crash.deviceModel, crash.osName, crash.osVersion].filter(Boolean).join(' ')
      showRows(crash.exceptions[0]?.type ?? 'Crash', [
        { text: join(toRelease(crash), formatRelative(crash.occurredDate)), detail: device },
        ...toFrames(crash),
      ])
    },
  },
  {
    path: toPattern('/applications/#/stability'),
    load: () => import('../crashes/StabilityPage.tsx'),
    show: async ({ first: id }) => {
      const asked = api.crashes.listStability(id)
      void send(api.applications.get(id))
      const releases = sumReleases(toDays(await asked))
      const rows = releases.map(({ name, rate, crashed, started }) => ({
        text: name,
        detail: join(
          rate === null ? null : `${formatCrashFree(rate)} crash-free`,
          `${crashed} of ${formatCount(started, 'session')} crashed`,
        ),
      }))
      showRows('Stability', rows, 'No sessions')
    },
  },
  {
    path: toPattern('/applications/#/crash-rules'),
    load: () => import('../crashes/CrashRulesPage.tsx'),
    show: async ({ first: id }) => {
      void send(api.applications.get(id))
      await api.crashes.getRules(id)
      showRows('Grouping rules', [{ text: 'Crashes', href: `/applications/${id}/crashes` }])
    },
  },
  {
    path: toPattern('/applications/#/crash-set-up'),
    load: () => import('../crashes/CrashSetUpPage.tsx'),
    show: async ({ first: id }) => {
      const asked = api.crashes.listKeys(id)
      void send(api.applications.get(id), api.crashes.listMissingSymbols(id), api.crashes.getIntake(id))
      const keys = await asked
      const rows = keys.map(({ name, sentryDsn }) => ({ text: name, detail: sentryDsn }))
      showRows('Set-up of crashes', rows, 'There is no crash key yet.')
    },
  },
]

/** Requests a crash, and which symbols are missing if it has frames without source lines. */
async function readCrash(applicationId: number, id: number): Promise<Crash> {
  const crash = await api.crashes.get(id)
  if (crash.missingSymbols.length > 0) {
    void send(api.crashes.listMissingSymbols(applicationId, { crashGroupId: crash.groupId }))
  }
  return crash
}

function toFrames({ exceptions, frames }: Crash): Row[] {
  return [
    ...exceptions.map(({ type, message }) => ({ text: type, detail: message })),
    ...frames.slice(0, maxFrames).map(({ function: name, raw, file, line }) => ({
      text: name ?? raw,
      detail: file === null ? null : line === null ? file : `${file}:${line}`,
    })),
  ]
}
