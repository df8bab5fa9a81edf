import assert from 'node:assert/strict'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { attachPage, type PageApp } from '@fairlead/channel/playwright'
import { catchError, catchRejection } from './expect-error.ts'
import { chromiumPath, skipWithout } from './required-tool.ts'
import { launchBrowser, origin, servePage } from './web-page.ts'

const script = `
  import { xpcService } from '/src/app-page.ts'
  document.title = xpcService ? 'under test' : 'alone'
  xpcService?.on('echo', { decoding: Object, encoding: Object }, (content) => content)
  xpcService?.on('double', { decoding: Number, encoding: Number }, async (number) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return number * 2
  })
  let noted = []
  xpcService?.on('note', { decoding: Object }, (content) => void noted.push(content))
  xpcService?.on('noted', { encoding: Object }, () => noted)
  xpcService?.on('fail', {}, () => { throw new RangeError('out of the page') })
  xpcService?.on('hang', {}, (content, { signal }) => new Promise((resolve) => {
    signal.addEventListener('abort', () => xpcService.post('hung', 'aborted'))
  }))
  xpcService?.on('ask', { encoding: String }, () => xpcService.sendAsync('name', 'page', { decoding: String }))
  xpcService?.on('leave', {}, () => void setTimeout(() => location.assign('/other')))
  xpcService?.on('say', { decoding: Number }, (count) => {
    for (let index = 0; index < count; index++) xpcService.post('said', index)
  })
  xpcService?.post('loaded', location.pathname)
`

describe('a web page', { skip: skipWithout(chromiumPath) }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser.close())

  for (const transport of ['auto', 'binding'] as const) {
    describe(`over ${transport === 'auto' ? 'a CDP session' : 'an exposed binding'}`, () => {
      let context: BrowserContext
      let page: Page
      let app: PageApp
      beforeEach(async () => {
        context = await browser.newContext()
        page = await context.newPage()
        await servePage(page, script)
        app = await attachPage(page, { transport })
      })
      afterEach(() => context.close())

      test('answers requests, synchronously or later, including those sent before it loaded', async () => {
        const early = app.xpcService.sendAsync('double', 21, { decoding: Number })
        await page.goto(origin)
        assert.equal(await early, 42)
        const content = { text: 'ä\u2028"\u0000', at: new Date(3), bytes: new Uint8Array([0, 255]), none: undefined }
        assert.deepEqual(await app.xpcService.sendAsync('echo', content, { decoding: Object }), content)
        assert.equal(await page.title(), 'under test')
      })

      test('refuses a blocking send at once and names sendAsync', async () => {
        await page.goto(origin)
        const error = catchError(() => app.xpcService.send('echo', 1))
        assert.equal(error.code, 'unsupported')
        assert.match(error.message, /sendAsync/)
      })

      test('sends requests and posts to the test', async () => {
        const said: number[] = []
        app.xpcService.on('name', { decoding: String, encoding: String }, async (who) => `${who} is known`)
        app.xpcService.on('said', { decoding: Number }, (index) => {
          said.push(index)
        })
        const loaded = new Promise<string>((resolve) => app.xpcService.on('loaded', { decoding: String }, resolve))
        await page.goto(`${origin}/start`)
        assert.equal(await loaded, '/start')
        assert.equal(await app.xpcService.sendAsync('ask', undefined, { decoding: String }), 'page is known')
        await app.xpcService.sendAsync('say', 1000)
        while (said.length < 1000) await new Promise((resolve) => setTimeout(resolve, 5))
        assert.deepEqual(said, [...Array(1000).keys()])
      })

      test('delivers posts in order and before later requests', async () => {
        await page.goto(origin)
        for (let index = 0; index < 500; index++) app.xpcService.post('note', index)
        const noted = await app.xpcService.sendAsync('noted', undefined, { decoding: Object })
        assert.deepEqual(noted, [...Array(500).keys()])
      })

      test('reports errors, missing handlers and timeouts like any app', async () => {
        await page.goto(origin)
        const failed = await catchRejection(app.xpcService.sendAsync('fail'))
        assert.equal(failed.code, 'handlerFailed')
        assert.ok(failed.remote instanceof RangeError)
        assert.equal((await catchRejection(app.xpcService.sendAsync('nobody'))).code, 'noHandler')
        const hung = new Promise<string>((resolve) => app.xpcService.on('hung', { decoding: String }, resolve))
        assert.equal((await catchRejection(app.xpcService.sendAsync('hang', 1, { timeout: 30 }))).code, 'timeout')
        assert.equal(await hung, 'aborted')
      })

      test('fails pending requests on navigation and then answers from the new document', async () => {
        await page.goto(origin)
        await app.xpcService.sendAsync('note', 1)
        const hanging = catchRejection(app.xpcService.sendAsync('hang'))
        await app.xpcService.sendAsync('leave')
        const error = await hanging
        assert.equal(error.code, 'connectionLost')
        assert.match(error.message, /another document/)
        assert.deepEqual(await app.xpcService.sendAsync('noted', undefined, { decoding: Object }), [])
        await page.reload()
        assert.equal(await app.xpcService.sendAsync('double', 4, { decoding: Number }), 8)
      })

      test('fails pending requests at once if the page closes', async () => {
        await page.goto(origin)
        const hanging = catchRejection(app.xpcService.sendAsync('hang'))
        await page.close()
        assert.equal((await hanging).code, 'connectionLost')
        assert.equal((await catchRejection(app.xpcService.sendAsync('echo'))).code, 'connectionLost')
      })

      test('ignores frames inside the page', async () => {
        await page.goto(origin)
        const title = await page.evaluate<string>(`new Promise((resolve) => {
          const frame = document.createElement('iframe')
          frame.addEventListener('load', () => resolve(frame.contentDocument.title))
          frame.src = '/inner'
          document.body.append(frame)
        })`)
        assert.equal(title, 'alone')
        assert.equal(await app.xpcService.sendAsync('double', 2, { decoding: Number }), 4)
      })
    })
  }

  test('fails pending requests at once if the page crashes', async () => {
    const page = await browser.newPage()
    await servePage(page, script)
    const app = await attachPage(page)
    await page.goto(origin)
    const hanging = catchRejection(app.xpcService.sendAsync('hang'))
    page.goto('chrome://crash').catch(() => {})
    const error = await hanging
    assert.equal(error.code, 'connectionLost')
    assert.match(error.message, /crashed/)
    await page.close()
  })

  test('ends only the channel after a malformed envelope', async () => {
    for (const garbage of ["'{'", "'{}'", "'null'", `'{"epoch":"x","frames":[1]}'`]) {
      const page = await browser.newPage()
      await servePage(page, script)
      const app = await attachPage(page)
      await page.goto(origin)
      await app.xpcService.sendAsync('note', 1)
      const hanging = catchRejection(app.xpcService.sendAsync('hang', undefined, { timeout: 300 }))
      await page.evaluate(`__fairleadReceive(${garbage})`)
      assert.match((await hanging).code, /protocol|timeout/)
      await page.close()
    }
  })

  test('has no service without a test', async () => {
    const page = await browser.newPage()
    await servePage(page, script)
    await page.goto(origin)
    await page.waitForFunction(`document.title !== 'app'`)
    assert.equal(await page.title(), 'alone')
    await page.close()
  })

  test('reads permission statuses from the browser in all three states', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await servePage(page, script)
    const app = await attachPage(page)
    await page.goto(origin)
    const cdp = await browser.newBrowserCDPSession()
    const { targetInfo } = await (await context.newCDPSession(page)).send('Target.getTargetInfo')
    const browserContextId = targetInfo.browserContextId ?? ''
    const set = async (setting: 'granted' | 'denied' | 'prompt') => {
      for (const name of ['geolocation', 'camera', 'microphone', 'notifications']) {
        await cdp.send('Browser.setPermission', { permission: { name }, setting, origin, browserContextId })
      }
    }
    const expected = {
      prompt: ['notDetermined', 'notDetermined', 'notDetermined', 'notDetermined'],
      granted: ['authorizedWhenInUse', 'authorized', 'authorized', 'authorized'],
      denied: ['denied', 'denied', 'denied', 'denied'],
    }
    for (const setting of ['prompt', 'granted', 'denied'] as const) {
      await set(setting)
      const statuses = [
        await app.locationAuthorizationStatus,
        await app.mediaAuthorizationStatus({ for: 'video' }),
        await app.mediaAuthorizationStatus({ for: 'audio' }),
        await app.userNotificationSettingsAuthorizationStatus,
      ]
      assert.deepEqual(statuses, expected[setting], setting)
    }
    assert.equal(await app.contactsAuthorizationStatus, 'unavailable')
    assert.equal(await app.eventKitAuthorizationStatus({ for: 'event' }), 'unavailable')
    assert.equal(await app.photoLibraryAuthorizationStatus({ for: 'readWrite' }), 'unavailable')
    assert.equal(await app.healthKitAuthorizationStatus({ for: 'workout' }), 'unavailable')
    await context.close()
  })

  test('opens no port in the test or the browser', { skip: process.platform !== 'linux' }, async () => {
    const page = await browser.newPage()
    await servePage(page, script)
    const app = await attachPage(page)
    await page.goto(origin)
    assert.equal(await app.xpcService.sendAsync('double', 1, { decoding: Number }), 2)
    const processes = listProcessTree(process.pid)
    assert.ok(processes.length > 2, 'the browser is among them')
    assert.deepEqual(processes.flatMap(listListeningSockets), [])
    await page.close()
  })
})

/** Lists a process and its descendants. Field 4 of proc_pid_stat(5) is the parent. */
function listProcessTree(root: number): number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1')
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // The process has ended.
    }
  }
  const tree = [root]
  for (const parent of tree) for (const [pid, of] of parents) if (of === parent) tree.push(pid)
  return tree
}

/** Lists sockets of a process in state LISTEN (0A), see proc_pid_net(5). */
function listListeningSockets(pid: number): string[] {
  const listening = new Set<string>()
  for (const table of ['tcp', 'tcp6']) {
    for (const line of readOrNothing(`/proc/${pid}/net/${table}`).split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/)
      if (fields[3] === '0A') listening.add(`socket:[${fields[9]}]`)
    }
  }
  return listDescriptors(pid)
    .filter((link) => listening.has(link))
    .map((link) => `${pid}: ${link}`)
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // The process has ended.
    return ''
  }
}

function listDescriptors(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
      } catch {
        // The descriptor was closed after it was listed.
        return []
      }
    })
  } catch {
    return []
  }
}
