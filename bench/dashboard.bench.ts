/**
 * Measures every page of the dashboard over rich data on a weak mobile connection (400 ms, 50 kB/s), with an empty
 * cache: the seconds until it shows what it is about and until it is complete, the compressed scripts that it loads
 * until then, and how far its layout shifts. `npm run build` comes first. `BENCH_DATA` names a folder that keeps the
 * data, and `BENCH_ONLY` a part of the paths to measure, or several with commas between them.
 */
import { setTimeout } from 'node:timers/promises'
import { startChromium, slowNetwork } from '../test/dashboard/chromium.ts'
import { fillRichlyOnce } from '../test/dashboard/rich-workspace.ts'
import { startServerProcess } from '../test/processes/server-process.ts'
import { median, printTable } from './measure.ts'
import { openTemporaryFolder } from './processes.ts'

/** Menus, dialogs and notices are loaded when the page is complete. */
const idleScripts = /\/(overlays|DialogFrame|NavigationDrawer|NoticeList|qr-code)-/

interface Measured {
  useful: number
  complete: number
  scripts: number
  shift: number
}

await using temporary = await openTemporaryFolder()
const dataDir = process.env.BENCH_DATA ?? temporary.path
const only = (process.env.BENCH_ONLY ?? '').split(',')
const { paths, cookie } = await fillRichlyOnce(dataDir)
console.error('filled, now measuring')
await using server = await startServerProcess({ dataDir, env: { FAIRLEAD_INITIAL_API_TOKEN: '' } })
await using chromium = await startChromium()
const pages = paths
  .filter((path) => !path.includes('no/such') && !path.includes('999999'))
  .filter((path) => only.some((part) => path.includes(part)))
const rows: [string, Measured][] = []
for (const path of pages) rows.push([path, await measure(path)])

const seconds = (ms: number) => (ms / 1000).toFixed(1)
const toCells = ({ useful, complete, scripts, shift }: Measured) => [
  seconds(useful),
  seconds(complete),
  (scripts / 1000).toFixed(0),
  shift.toFixed(3),
]
const summary = (name: string, choose: (values: number[]) => number): [string, Measured] => {
  const of = (key: keyof Measured) => choose(rows.map(([, measured]) => measured[key]))
  return [name, { useful: of('useful'), complete: of('complete'), scripts: of('scripts'), shift: of('shift') }]
}
printTable(
  ['page', 'useful after s', 'complete after s', 'scripts in kB', 'layout shift'],
  [...rows, summary('median', median), summary('most', (values) => Math.max(...values))].map(([name, measured]) => [
    name,
    ...toCells(measured),
  ]),
)

async function measure(path: string): Promise<Measured> {
  const page = await chromium.openPage({ baseURL: server.url, network: slowNetwork })
  page.setDefaultTimeout(60_000)
  await page.context().addCookies([{ ...cookie, url: server.url }])
  await page.addInitScript(watch)
  const sizes: Promise<number>[] = []
  let isComplete = false
  page.on('requestfinished', (request) => {
    if (isComplete || request.resourceType() !== 'script' || idleScripts.test(request.url())) return
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.goto(path, { waitUntil: 'commit' })
  await page.locator('#main h1').first().waitFor()
  await page.locator('.mantine-Skeleton-root, .mantine-Loader-root').first().waitFor({ state: 'detached' })
  const complete = await page.evaluate<number>('performance.now()')
  isComplete = true
  const scripts = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  // The stream of events stays open, so the page is never idle; what still moves it moves it within two seconds.
  await setTimeout(2000)
  const useful = await page.evaluate<number>('usefulAt')
  const shift = await page.evaluate<number>('shifts.reduce((sum, value) => sum + value, 0)')
  await page.context().close()
  return { useful, complete, scripts, shift }
}

/** Runs in the page before its own scripts: notes when the first content stands there, and each shift. */
function watch(): void {
  const shifts: number[] = []
  Object.assign(globalThis, { shifts, usefulAt: Infinity })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node's types name only the entries of Node
  }).observe({ type: 'layout-shift' as 'measure', buffered: true })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- runs in a page; the types of Node lack the DOM
  const { document, MutationObserver } = globalThis as unknown as {
    document: { querySelector(selector: string): unknown }
    MutationObserver: new (seen: () => void) => { observe(place: unknown, options: object): void; disconnect(): void }
  }
  const observer = new MutationObserver(() => {
    if (!document.querySelector('#first-look li, #main h1')) return
    Object.assign(globalThis, { usefulAt: performance.now() })
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}
