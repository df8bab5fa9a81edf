/** The applications of the rich workspace, their builds, and the people who get them. */
import { createSigner, writeApk, writeIcon, writeIpa } from '@fairlead/binary/fixture'
import type { Build } from '@fairlead/contract'
import { createPng } from '../../apps/server/src/testing/pictures.ts'
import type { Call } from './rich-call.ts'

export const buildCount = 70

const applications = [
  { name: 'Lighthouse Harbor Guide', alias: 'lighthouse', platform: 'android', icon: [12, 122, 140] },
  {
    name: 'Lighthouse Harbor Guide for iPhone and iPad',
    alias: 'lighthouse-ios',
    platform: 'ios',
    icon: [12, 122, 140],
  },
  { name: 'Pier Payments', alias: 'pier', platform: 'android', icon: [180, 60, 60] },
  {
    name: 'Kai-Verwaltung für Hafenbehörden und Lotsendienste (Innenstadt)',
    alias: 'kai-verwaltung-fuer-hafenbehoerden',
    platform: 'android',
    icon: [40, 90, 180],
  },
  { name: '港口指南', alias: 'harbor-zh', platform: 'android', icon: [90, 160, 60] },
  { name: 'Tide', alias: 'tide', platform: 'ios', icon: [30, 30, 30] },
  { name: 'Moor', alias: 'moor', platform: 'android', icon: [200, 160, 20] },
  { name: 'Buoy Diagnostics', alias: 'buoy', platform: 'android', icon: [120, 60, 160] },
  { name: 'Signal Book', alias: 'signal-book', platform: 'ios', icon: [220, 220, 220] },
  { name: 'Unbuilt', alias: 'unbuilt', platform: 'android', icon: [0, 0, 0] },
] as const

const branches = [
  'main',
  'main',
  'main',
  'release/2.3',
  'feature/offline-charts',
  'mara.lindqvist/fix-the-tide-table-when-the-harbor-has-two-clocks-JIRA-4711',
]
const notes = [
  '## New\n\n- Charts work **offline**, also those of harbors that you have never opened\n- Faster start\n\n' +
    '- [x] tested on Pixel 4a\n- [ ] tested on tablets',
  'Fixes the crash when a harbor has two clocks.',
  'Bumps the SDK. Please look at the *payment sheet* with a large font and tell us in the channel whether ' +
    'the button “Pay and continue to the confirmation” still fits on your phone.',
  '',
]

/** Returns their numbers, in the order above. */
export async function createApplications(call: Call): Promise<number[]> {
  const ids: number[] = []
  for (const { name, alias, platform } of applications) {
    ids.push((await call<{ id: number }>('POST', '/v1/applications', { name, alias, platform })).id)
  }
  return ids
}

/** Uploads the builds, the newest last. More than half are of the first application. */
export async function uploadBuilds(call: Call): Promise<Build[]> {
  const signers = [createSigner()]
  const builds: Build[] = []
  for (let number = 0; number < buildCount; number++) {
    const place = number < 40 ? 0 : 1 + (number % 8)
    const app = applications[place]!
    const version =
      number === 38 ? '2.3.0-beta.14+nightly.20261122.1f3a9b2c' : `2.${Math.floor(number / 12)}.${number % 12}`
    const headers = {
      'X-Service-Application-Alias': app.alias,
      'X-Service-Branch': branches[number % branches.length]!,
      'X-Service-Commit': String(number).padStart(2, '0').repeat(20),
      'X-Service-CI-Url': `https://ci.example.com/harbor/lighthouse/runs/${number}`,
    }
    const body =
      app.platform === 'ios'
        ? writeIpa({
            name: app.name,
            bundleIdentifier: `com.example.${app.alias.replaceAll('-', '')}`,
            shortVersion: version,
            version: String(20200 + number),
          })
        : writeApk({
            packageName: `com.example.${app.alias.replaceAll('-', '')}`,
            label: app.name,
            versionCode: 20200 + number,
            versionName: version,
            signers,
            permissions: [
              'android.permission.INTERNET',
              'android.permission.CAMERA',
              ...(number > 30 ? ['android.permission.ACCESS_FINE_LOCATION'] : []),
            ],
            architectures: ['arm64-v8a', 'x86_64'],
            icon: writeIcon(96, [...app.icon]),
            files: [{ name: 'assets/data.bin', data: Buffer.alloc(200_000 + number * 7000, number) }],
          })
    const build = await call<Build>('POST', '/v2/builds', body, headers)
    builds.push(build)
    const text = notes[number % notes.length]
    if (text) await call('PATCH', `/v2/builds/${build.id}`, { releaseNotes: text })
  }
  return builds
}

/** Creates groups of very different sizes and returns their numbers, the largest first. */
export async function createGroups(call: Call): Promise<number[]> {
  const groups: number[] = []
  for (const [name, count] of [
    ['Everyone inside the harbor', 1000],
    ['Beta', 38],
    ['Press', 2],
    ['Nobody yet', 0],
  ] as const) {
    const { id } = await call<{ id: number }>('POST', '/v1/distributionGroups', { name })
    groups.push(id)
    const emails = Array.from({ length: count }, (_, index) =>
      index === 3
        ? 'a.very.long.address.that.somebody.really.has.got.at.work@subsidiary.department.example.com'
        : `${name.split(' ')[0]!.toLowerCase()}.${index}@example.com`,
    )
    for (let start = 0; start < emails.length; start += 100) {
      await call('POST', `/v1/distributionGroups/${id}/testers`, { emails: emails.slice(start, start + 100) })
    }
  }
  return groups
}

/** Gives builds of the first application to groups, and says what is new in the last one. */
export async function distributeBuilds(call: Call, newest: Build[], groups: number[]): Promise<void> {
  const last = newest.at(-1)!
  await call('POST', `/v1/builds/${last.id}/distribute`, {
    distributionGroupIds: [groups[1], groups[2]],
    notifyTesters: true,
  })
  await call('POST', `/v1/builds/${newest.at(-4)!.id}/distribute`, {
    distributionGroupIds: [groups[0]],
    notifyTesters: false,
  })
  await call('POST', `/v1/applications/${last.applicationId}/latestLinks`, {
    name: 'Beta of main',
    distributionGroupId: groups[1],
    branch: 'main',
  })
  await call('PUT', `/v1/builds/${last.id}/commits`, {
    base: '37'.repeat(20),
    head: '39'.repeat(20),
    isComplete: true,
    commits: Array.from({ length: 7 }, (_, index) => ({
      id: `${39 - index}`.repeat(20),
      date: new Date(Date.now() - index * 7_200_000).toISOString(),
      subject: [
        'Load charts in the background',
        'Draw the tide table in two zones when the harbor has two clocks, as the pilots of Antwerp asked for',
        'Fix tests',
      ][index % 3],
      author: { name: ['Mara Lindqvist', 'Jürgen Müller-Lüdenscheidt'][index % 2], email: 'mara@example.com' },
      files: [{ path: 'app/src/main/java/com/example/lighthouse/chart/ChartLoader.kt', status: 'M', hunks: [[84, 3]] }],
    })),
  })
  const feedback = new FormData()
  feedback.append('text', 'The tide table of Hamburg is empty.\nI was offline.')
  feedback.append('pictures', new Blob([new Uint8Array(createPng({ width: 180, height: 390 }))]), 'screen.png')
  await fetch(`${last.installUrl}/feedback`, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: feedback,
  })
}
