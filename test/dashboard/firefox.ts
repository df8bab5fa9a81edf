/**
 * Drives Firefox, as Debian packages it, over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/): commands and
 * events as JSON over one WebSocket. Playwright drives only a Firefox of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { openTemporaryFolder } from '../processes/server-process.ts'

const executablePath = process.env.FAIRLEAD_TEST_FIREFOX ?? '/usr/bin/firefox-esr'

/** Without Firefox the tests are skipped. */
export const skip = existsSync(executablePath) ? false : `needs ${executablePath}`

/** An element by its role and name, by a part of its text, or by a CSS selector. */
export type Locator = { role: keyof typeof elementsOfRoles; name: string } | { text: string } | { css: string }

/** How long is waited for an element, in milliseconds. */
const patienceMs = 30_000

/** The code points that WebDriver gives to keys without a character. */
export const keys = { enter: '\uE007', escape: '\uE00C' }

export interface FirefoxPage {
  goto(url: string): Promise<void>
  waitFor(locator: Locator): Promise<void>
  waitUntilGone(locator: Locator): Promise<void>
  click(locator: Locator): Promise<void>
  focus(locator: Locator): Promise<void>
  /** Presses the keys of a text, one after another. */
  type(text: string): Promise<void>
  /** Chooses a file in a field for files, which may be hidden behind a button. */
  chooseFile(locator: Locator, path: string): Promise<void>
  /** Evaluates an expression whose value is a text. */
  read(expression: string): Promise<string>
  /** Takes a picture of what the window shows, as a PNG file. */
  takePicture(): Promise<Buffer>
}

export interface Firefox extends AsyncDisposable {
  /** Opens a page with cookies of its own. */
  openPage(): Promise<FirefoxPage>
  /** Errors of scripts, in all pages. */
  complaints: string[]
}

/** Keeps Firefox from asking hosts of Mozilla by itself. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
}

export async function startFirefox(): Promise<Firefox> {
  await using opened = new AsyncDisposableStack()
  const profile = opened.use(await openTemporaryFolder())
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  await writeFile(join(profile.path, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile.path]
  const browser = spawn(executablePath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1' },
  })
  const ended = new Promise<void>((resolve) => void browser.once('exit', () => resolve()))
  opened.defer(async () => {
    browser.kill()
    await ended
  })
  const session = await openSession(`${await readAddress(browser)}/session`)
  opened.defer(() => session.close())
  const closers = opened.move()
  return {
    complaints: session.complaints,
    async openPage() {
      const { userContext } = await session.send('browser.createUserContext', {})
      const { context } = await session.send('browsingContext.create', { type: 'tab', userContext })
      const viewport = { width: 1280, height: 800 }
      await session.send('browsingContext.setViewport', { context, viewport })
      return createPage(session, String(context))
    },
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

/** Reads the address that Firefox writes when it can be driven, and goes on reading, so that it never waits. */
function readAddress(browser: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!browser.stderr) throw new Error('Firefox has no error output')
    createInterface(browser.stderr).on('line', (line) => {
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
    browser.once('error', reject)
    browser.once('exit', () => reject(new Error('Firefox ended before it could be driven')))
  })
}

type Answer = Record<string, unknown>

interface BidiSession {
  send: (method: string, params: object) => Promise<Answer>
  complaints: string[]
  close(): void
}

async function openSession(url: string): Promise<BidiSession> {
  const socket = new WebSocket(url)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('Firefox takes no connection')))
  })
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  const complaints: string[] = []
  let lastId = 0
  socket.addEventListener('message', ({ data }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages have this shape by the protocol
    const message = JSON.parse(String(data)) as {
      id?: number
      type: string
      method?: string
      result?: Answer
      message?: string
      params?: { type?: string; level?: string; text?: string }
    }
    const { id, type, method, result, params } = message
    if (method === 'log.entryAdded' && params?.type === 'javascript' && params.level === 'error') {
      complaints.push(params.text ?? '')
    }
    const asked = id === undefined ? undefined : waiting.get(id)
    if (type === 'success') asked?.resolve(result ?? {})
    if (type === 'error') asked?.reject(new Error(message.message ?? 'Firefox refused a command'))
  })
  const send = async (method: string, params: object): Promise<Answer> => {
    const id = ++lastId
    const asked = Promise.withResolvers<Answer>()
    waiting.set(id, asked)
    socket.send(JSON.stringify({ id, method, params }))
    return asked.promise.finally(() => waiting.delete(id))
  }
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  return { send, complaints, close: () => socket.close() }
}

/**
 * Scrolls an element into view, and fails if it moves from one frame to the next or lies under another: the page is
 * still being laid out, and a click would hit what comes to lie there. A page can also be laid out anew between this
 * look and the click, so the element says afterwards whether the click came.
 */
const takeIntoView = `async (element) => {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  element.scrollIntoView({ block: 'center' })
  await nextFrame()
  const before = element.getBoundingClientRect()
  await nextFrame()
  const { x, y, width, height } = element.getBoundingClientRect()
  const hit = document.elementFromPoint(x + width / 2, y + height / 2)
  if (before.x !== x || before.y !== y || !element.contains(hit)) throw new Error('the element moves or is covered')
  globalThis.isClickMissing = true
  element.addEventListener('click', () => { globalThis.isClickMissing = false }, { capture: true, once: true })
}`

function createPage({ send }: BidiSession, context: string): FirefoxPage {
  const find = async (locator: Locator): Promise<string | undefined> => {
    const { nodes } = await send('browsingContext.locateNodes', { context, locator: toBidi(locator), maxNodeCount: 1 })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nodes have this shape by the protocol
    return (nodes as { sharedId: string }[])[0]?.sharedId
  }
  const read = async (expression: string): Promise<string> => {
    const { result } = await send('script.evaluate', { expression, target: { context }, awaitPromise: true })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values have this shape by the protocol
    return String((result as { value?: unknown } | undefined)?.value)
  }
  const wait = async <Value>(locator: Locator, take: (found: string | undefined) => Value | undefined) => {
    const end = Date.now() + patienceMs
    for (;;) {
      const value = take(await find(locator))
      if (value !== undefined) return value
      if (Date.now() > end) {
        const shown = await read('`${location.href}: ${document.body.innerText}`')
        throw new Error(`waited in vain for ${JSON.stringify(locator)} at ${shown.slice(0, 2_000)}`)
      }
      await setTimeout(50)
    }
  }
  const require = (locator: Locator) => wait(locator, (found) => found)
  /** Repeats what fails because the page draws the element anew meanwhile. */
  const act = async (locator: Locator, on: (sharedId: string) => Promise<void>) => {
    const end = Date.now() + patienceMs
    for (;;) {
      try {
        await on(await require(locator))
        return
      } catch (error) {
        if (Date.now() > end) throw error
        await setTimeout(50)
      }
    }
  }
  const callOn = async (sharedId: string, functionDeclaration: string) => {
    const { type } = await send('script.callFunction', {
      functionDeclaration,
      target: { context },
      arguments: [{ sharedId }],
      awaitPromise: true,
    })
    if (type === 'exception') throw new Error(`a script failed on ${sharedId}`)
  }
  return {
    async goto(url) {
      // Only the page in front has a focus.
      await send('browsingContext.activate', { context })
      const end = Date.now() + patienceMs
      for (;;) {
        try {
          await send('browsingContext.navigate', { context, url, wait: 'complete' })
          break
        } catch (error) {
          // The page that is left can end a navigation by a change of its own address, which its router makes late.
          if (Date.now() > end || !String(error).includes('NS_BINDING_ABORTED')) throw error
        }
      }
      // The plain list, which is shown until the scripts of the page have run, has links and texts as well.
      await wait({ css: '#first-look' }, (found) => (found === undefined ? true : undefined))
    },
    async waitFor(locator) {
      await require(locator)
    },
    async waitUntilGone(locator) {
      await wait(locator, (found) => (found === undefined ? true : undefined))
    },
    click: (locator) =>
      act(locator, async (sharedId) => {
        await callOn(sharedId, takeIntoView)
        const move = { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId } } }
        const press = [
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ]
        const actions = [{ type: 'pointer', id: 'mouse', actions: [move, ...press] }]
        await send('input.performActions', { context, actions })
        // A click that loads another page came, too: nothing is left to be asked, or the question is cut off.
        const isMissing = await read('globalThis.isClickMissing').catch(() => 'false')
        if (isMissing === 'true') throw new Error('the click hit another element')
      }),
    focus: (locator) => act(locator, (sharedId) => callOn(sharedId, '(element) => element.focus()')),
    async type(text) {
      const strokes = Array.from(text).flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions: strokes }] })
    },
    chooseFile: (locator, path) =>
      act(locator, async (sharedId) => {
        await send('input.setFiles', { context, element: { sharedId }, files: [path] })
      }),
    async takePicture() {
      const { data } = await send('browsingContext.captureScreenshot', { context })
      return Buffer.from(String(data), 'base64')
    },
    read,
  }
}

/** The elements that have a role in our pages. */
const elementsOfRoles = { button: 'button', heading: 'h1 | h2 | h3', link: 'a', list: 'ul | ol' }

/**
 * Roles and names become XPath. Firefox also finds them in its accessibility tree, but it computes the role and the
 * name of each element of the page for that, which takes seconds in which the page itself stands still.
 */
function toBidi(locator: Locator): object {
  if ('css' in locator) return { type: 'css', value: locator.css }
  if ('text' in locator) {
    // A name of code is several texts, between which a line may end; the innermost element has them all.
    const hasText = `contains(., ${JSON.stringify(locator.text)})`
    return { type: 'xpath', value: `//*[${hasText}][not(*[${hasText}])]` }
  }
  const name = JSON.stringify(locator.name)
  const elements = elementsOfRoles[locator.role].split(' | ').map((element) => `self::${element}`)
  const names = `@aria-label = ${name} or normalize-space() = ${name}`
  return { type: 'xpath', value: `//*[${elements.join(' or ')}][${names}]` }
}
