import { createSigner, writeApk, writeIpa } from '@fairlead/binary/fixture'
import type { Build, SetUpDone } from '@fairlead/contract'
import type { Page } from 'playwright-core'
import { createPng } from '../../apps/server/src/testing/pictures.ts'
import { type FreshServer, password } from './first-start.ts'
import { readAnswer, readJson } from '../../scripts/read-json.ts'

/** The names of everything that is created, so that a test can choose hostile ones. */
export interface Names {
  application: string
  group: string
  notes: string
  branch: string
  token: string
  fileName: string
}

const plainNames: Names = {
  application: 'Pilot',
  group: 'Beta',
  notes: '## New\n\n- Charts work **offline**\n- Faster start',
  branch: 'feature/offline',
  token: 'CI',
  fileName: 'pilot.apk',
}

export interface FilledWorkspace {
  /** The token of an administrator. */
  apiToken: string
  /** The session cookie, in the form that Playwright takes. */
  cookie: { name: string; value: string; url: string }
  applicationId: number
  iosApplicationId: number
  emptyApplicationId: number
  buildId: number
  iosBuildId: number
  groupId: number
  hookId: number
}

/** Sends feedback with a picture, as the form of the install page does. */
async function sendFeedback(installUrl: string, text: string): Promise<void> {
  const body = new FormData()
  body.append('text', text)
  body.append('pictures', new Blob([new Uint8Array(createPng({ width: 90, height: 160 }))]), 'screen.png')
  const headers = { Accept: 'application/json' }
  const answer = await fetch(`${installUrl}/feedback`, { method: 'POST', headers, body })
  if (answer.status !== 201) throw new Error(`feedback: ${await answer.text()}`)
}

/** Sets up a server and creates data for every page, through the API. */
export async function fillWorkspace({ baseUrl, setUpUrl }: FreshServer, names = plainNames): Promise<FilledWorkspace> {
  const setUp = await fetch(`${baseUrl}/v1/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      code: new URL(setUpUrl).searchParams.get('code'),
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      password,
      workspaceName: 'Harbor Labs',
    }),
  })
  const { apiToken } = await readAnswer<SetUpDone>(setUp)
  const call = async <Answer>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const isBytes = body instanceof Uint8Array
    const response = await fetch(baseUrl + path, {
      method: path.startsWith('/v2/builds/') ? 'PATCH' : 'POST',
      headers: {
        'X-Service-Token': apiToken.token,
        'Content-Type': isBytes ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      body: isBytes ? new Uint8Array(body) : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${text}`)
    return readJson<Answer>(text === '' ? 'null' : text)
  }
  const createApplication = async (alias: string, platform: string) => {
    const { id } = await call<{ id: number }>('/v1/applications', { name: names.application, alias, platform })
    return id
  }

  const applicationId = await createApplication('pilot', 'android')
  const iosApplicationId = await createApplication('pilot-ios', 'ios')
  const emptyApplicationId = await createApplication('empty', 'android')
  const signers = [createSigner()]
  const uploadApk = (versionCode: number) =>
    call<Build>('/v2/builds', writeApk({ label: names.application, versionCode, versionName: '1.0', signers }), {
      'X-Service-Application-Alias': 'pilot',
      'X-Service-Branch': encodeHeader(names.branch),
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(names.fileName)}`,
    })
  await uploadApk(1)
  const build = await uploadApk(2)
  const ipa = writeIpa({ name: names.application, bundleIdentifier: 'com.example.pilot' })
  const iosBuild = await call<Build>('/v2/builds', ipa, { 'X-Service-Application-Alias': 'pilot-ios' })
  await call(`/v2/builds/${build.id}`, { releaseNotes: names.notes })
  await sendFeedback(build.installUrl, names.notes)
  const group = await call<{ id: number }>('/v1/distributionGroups', { name: names.group })
  await call(`/v1/distributionGroups/${group.id}/testers`, { emails: ['grace@example.com', 'linus@example.org'] })
  await call(`/v1/builds/${build.id}/distribute`, { distributionGroupIds: [group.id], notifyTesters: true })
  await call(`/v1/applications/${applicationId}/latestLinks`, {
    name: names.group,
    distributionGroupId: group.id,
    branch: names.branch,
  })
  const hook = await call<{ id: number }>('/v1/hooks', {
    name: names.token,
    url: 'https://receiver.invalid/',
    events: ['*'],
  })
  await call(`/v1/hooks/${hook.id}/test`, {})
  await call('/v1/apiTokens', { name: names.token, role: 'developer' })
  await call('/v1/invitations', { email: 'vera@example.com', role: 'viewer' })
  await call('/v2/symbolsFiles', Buffer.from('com.example.Main -> a.a:\n    1:1:void run():7:7 -> a\n'), {
    'X-Service-Application-Alias': 'pilot',
    'X-Service-Package': 'dev.fairlead.sample',
    'X-Service-Version-Name': '1.0',
    'X-Service-Version-Code': '2',
  })

  const [name = '', value = ''] = (setUp.headers.getSetCookie()[0] ?? '').split(';')[0]?.split('=') ?? []
  return {
    apiToken: apiToken.token,
    cookie: { name, value, url: baseUrl },
    applicationId,
    iosApplicationId,
    emptyApplicationId,
    buildId: build.id,
    iosBuildId: iosBuild.id,
    groupId: group.id,
    hookId: hook.id,
  }
}

/** Opens a page and waits until nothing is loading any more. More than one heading of level 1 is an error. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path)
  // The plain list, which is shown until the scripts of the page have run, has a heading as well.
  await page.locator('#first-look').waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.mantine-Skeleton-root, .mantine-Loader-root').first().waitFor({ state: 'detached' })
}

/** Lists the paths of all pages that need an account. */
export function listPages(workspace: FilledWorkspace): string[] {
  const application = `/applications/${workspace.applicationId}`
  return [
    '/applications',
    application,
    `${application}/builds`,
    `${application}/crashes`,
    `${application}/stability`,
    `${application}/links`,
    `${application}/feedback`,
    `${application}/retention`,
    `${application}/alerts`,
    `${application}/symbols`,
    `${application}/crash`,
    `${application}/ci`,
    `${application}/settings`,
    `/applications/${workspace.emptyApplicationId}`,
    `/applications/${workspace.emptyApplicationId}/builds`,
    `/applications/${workspace.iosApplicationId}/symbols`,
    `/builds/${workspace.buildId}`,
    `/builds/${workspace.iosBuildId}`,
    '/start',
    '/hooks',
    `/hooks/${workspace.hookId}`,
    '/groups',
    `/groups/${workspace.groupId}`,
    '/testers',
    '/devices',
    '/tokens',
    '/agents',
    '/members',
    '/outbox',
    '/audit',
    '/server',
    '/workspace',
    '/account',
    '/builds/999999',
    '/no/such/page',
    `${application}/no/such/page`,
  ]
}

function encodeHeader(text: string): string {
  return Buffer.from(text).toString('latin1')
}
