import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { writeZip } from '@fairlead/binary/fixture'
import { openTemporaryFolder } from '../processes/server-process.ts'
import type { Chromium } from './chromium.ts'

/** Makes a report of a failed test with a trace, which Playwright records of a page that tries to run scripts. */
export async function recordReport(chromium: Chromium): Promise<Buffer> {
  await using folder = await openTemporaryFolder()
  const page = await chromium.openPage()
  await page.context().tracing.start({ screenshots: true, snapshots: true })
  await page.setContent('<h1>Cart</h1><button>Pay</button><img alt="" src="data:," onerror="top.broken = 1">')
  await page.getByRole('button', { name: 'Pay' }).click()
  await setTimeout(100)
  const path = join(folder.path, 'trace.zip')
  await page.context().tracing.stop({ path })
  await page.context().close()
  return writeZip([
    {
      name: 'report.xml',
      data: Buffer.from(
        '<testsuite name="web"><testcase classname="shop.Web" name="opens"><failure message="no title"/>' +
          '<system-out>[[ATTACHMENT|trace.zip]]</system-out></testcase></testsuite>',
      ),
    },
    { name: 'trace.zip', data: await readFile(path) },
  ])
}
