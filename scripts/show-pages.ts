/**
 * `node scripts/show-pages.ts FOLDER [LOOK…]`: takes pictures of every page of the dashboard over rich data, for people
 * to look at. A look is a width and a colour scheme, such as `390-dark`; without one, all six are taken. It also says
 * what axe finds and which pages are wider than the screen. `npm run build` comes first.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findBarriers, measureOverflow } from '../test/dashboard/accessibility.ts'
import { startChromium } from '../test/dashboard/chromium.ts'
import { openPage } from '../test/dashboard/filled-workspace.ts'
import { untilQuiet } from '../test/dashboard/requests-of-page.ts'
import { fillRichlyOnce } from '../test/dashboard/rich-workspace.ts'
import { openTemporaryFolder, startServerProcess } from '../test/processes/server-process.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** A folder that keeps the data, so that the next pictures are taken of the same. */
    data: { type: 'string' },
    /** Only paths that hold this text, or one of several with commas between them. */
    only: { type: 'string', default: '' },
  },
})
const [folder = 'screenshots', ...chosen] = positionals
const looks = chosen.length > 0 ? chosen : [390, 768, 1440].flatMap((width) => [`${width}-light`, `${width}-dark`])

await mkdir(folder, { recursive: true })
await using temporary = await openTemporaryFolder()
const dataDir = values.data ?? temporary.path
const { paths, cookie } = await fillRichlyOnce(dataDir)
await using server = await startServerProcess({ dataDir, env: { FAIRLEAD_INITIAL_API_TOKEN: '' } })
await using chromium = await startChromium()
for (const look of looks) {
  const [width, scheme] = look.split('-')
  const page = await chromium.openPage({
    baseURL: server.url,
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
    viewport: { width: Number(width), height: 900 },
    reducedMotion: 'reduce',
  })
  page.setDefaultTimeout(60_000)
  await page.context().addCookies([{ ...cookie, url: server.url }])
  for (const path of paths.filter((path) => values.only.split(',').some((text) => path.includes(text)))) {
    await openPage(page, path)
    await untilQuiet(page)
    // Codes, charts and menus are loaded when a page has had time to show itself.
    await page.waitForTimeout(2500)
    await untilQuiet(page)
    const name = path.replaceAll(/[^a-z0-9]+/g, '-').slice(1)
    await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true })
    const overflow = await measureOverflow(page)
    if (overflow > 0) console.log(`${look} ${path} is ${overflow} px too wide`)
    for (const barrier of await findBarriers(page)) console.log(`${look} ${path}: ${barrier}`)
  }
  await page.context().close()
}
chromium.checkComplaints()
