import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Build } from '@fairlead/contract'
import type { Page } from 'playwright-core'
import {
  toJpegExif,
  toPngChunk,
  createExif,
  toVp8x,
  toWebp,
  toWebpChunk,
} from '../../apps/server/src/testing/pictures.ts'
import { readAnswer } from '../../scripts/read-json.ts'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

const phone = { viewport: { width: 390, height: 844 } }

describe('feedback from a phone to the dashboard', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  before(async () => {
    opened = await openDashboard()
  })
  after(() => opened?.[Symbol.asyncDispose]())

  it('comes with photos that stand upright, without JavaScript, and is marked as done', async () => {
    const { workspace, chromium, fresh } = opened
    const build = await readAnswer<Build>(await opened.callApi(`/v1/builds/${workspace.buildId}`))
    const path = new URL(build.installUrl).pathname
    const page = await opened.openPage(phone)
    await page.goto(`/applications/${workspace.applicationId}/feedback`)
    const photos = await takePhotos(page)

    const tester = await chromium.openPage({ baseURL: fresh.baseUrl, ...phone, javaScriptEnabled: false })
    await tester.goto(path)
    await tester.getByText('Send feedback').click()
    await tester.getByLabel('What did you notice?').fill('<b>The chart</b>\nis empty')
    await tester
      .getByLabel('Pictures (optional)')
      .setInputFiles([
        ...photos.slice(0, 2),
        { name: 'no-picture.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') },
      ])
    await tester.getByRole('button', { name: 'Send' }).click()
    await tester.getByRole('alert').filter({ hasText: 'Picture 3 cannot be taken' }).waitFor()
    assert.equal(await tester.getByLabel('What did you notice?').inputValue(), '<b>The chart</b>\nis empty')
    assert.equal(await measureOverflow(tester), 0)
    await tester.getByLabel('Pictures (optional)').setInputFiles(photos)
    await tester.getByLabel('How can we reach you? (optional)').fill('grace@example.com')
    await tester.getByRole('button', { name: 'Send' }).click()
    await tester.getByText('Your feedback has reached the team.').waitFor()
    await tester.getByRole('link', { name: 'Back to the app' }).click()
    await tester.locator(`main[data-build-id="${workspace.buildId}"]`).waitFor()

    await page.reload()
    const card = page.getByRole('article', { name: 'Feedback from grace@example.com' })
    await card.getByText('<b>The chart</b>').waitFor()
    await card.getByRole('link', { name: `${build.shortVersion} (${build.version})` }).waitFor()
    const pictures = card.getByRole('img')
    assert.equal(await pictures.count(), 3)
    const turned = { width: 20, height: 40, top: 'red', bottom: 'blue' }
    const blank = await chromium.openPage()
    for (const [index, { name, mimeType, buffer }] of photos.entries()) {
      await pictures.nth(index).scrollIntoViewIfNeeded()
      const image = `document.querySelectorAll('article[aria-label="Feedback from grace@example.com"] img')[${index}]`
      const shown = await page.evaluate(`(${look})(${image})`)
      const source = `data:${mimeType};base64,${buffer.toString('base64')}`
      const original = await blank.evaluate(`(${look})(Object.assign(new Image(), { src: '${source}' }))`)
      assert.deepEqual(shown, original, `${name} is shown as the photo was`)
      // Chromium does not turn WebP, whatever its Exif says.
      if (mimeType !== 'image/webp') assert.deepEqual(shown, turned, name)
    }
    await blank.context().close()
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await measureOverflow(page), 0)
    await card.getByRole('button', { name: 'Done: feedback from grace@example.com' }).click()
    await card.waitFor({ state: 'detached' })
    await page.getByText('Done', { exact: true }).first().click()
    await card.getByRole('button', { name: /^Open again/ }).waitFor()
    await page.goto(`/builds/${workspace.buildId}`)
    await page.getByRole('region', { name: 'Feedback' }).getByText('<b>The chart</b>').waitFor()
    await card.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await card.waitFor({ state: 'detached' })
    await page.context().close()
  })
})

interface Photo {
  name: string
  mimeType: string
  buffer: Buffer
}

/** Draws a picture; it runs in the browser. */
const draw = `(type) => {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 40, height: 20 })
  const brush = canvas.getContext('2d')
  brush.fillStyle = 'red'
  brush.fillRect(0, 0, 20, 20)
  brush.fillStyle = 'blue'
  brush.fillRect(20, 0, 20, 20)
  return canvas.toDataURL(type, 0.95)
}`

/** Says how a picture is shown; it runs in the browser. */
const look = `async (image) => {
  await image.decode()
  const { naturalWidth: width, naturalHeight: height } = image
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const brush = canvas.getContext('2d')
  brush.drawImage(image, 0, 0)
  const colorAt = (y) => {
    const [red, , blue] = brush.getImageData(width / 2, y, 1, 1).data
    return red > blue ? 'red' : 'blue'
  }
  return { width, height, top: colorAt(2), bottom: colorAt(height - 3) }
}`

/** Has the browser make pictures that are red on the left and blue on the right, and turns them as phones do. */
async function takePhotos(page: Page): Promise<Photo[]> {
  const make = async (type: string) => {
    const url = await page.evaluate<string>(`(${draw})(${JSON.stringify(type)})`)
    return Buffer.from(url.split(',')[1] ?? '', 'base64')
  }
  const [png, jpeg, webp] = [await make('image/png'), await make('image/jpeg'), await make('image/webp')]
  // Exif says: turn it by a quarter to the right.
  const turned = [
    ['a.jpg', 'image/jpeg', Buffer.concat([jpeg.subarray(0, 2), toJpegExif(6), jpeg.subarray(2)])],
    ['b.png', 'image/png', Buffer.concat([png.subarray(0, 33), toPngChunk('eXIf', createExif(6)), png.subarray(33)])],
    ['c.webp', 'image/webp', toWebp(toVp8x(40, 20), plainChunk(webp), toWebpChunk('EXIF', createExif(6)))],
  ] as const
  return turned.map(([name, mimeType, buffer]) => ({ name, mimeType, buffer }))
}

/** Returns the chunk of pixels of a WebP, which may stand behind others. */
function plainChunk(webp: Buffer): Buffer {
  const at = Math.max(webp.indexOf('VP8 ', 12, 'latin1'), webp.indexOf('VP8L', 12, 'latin1'))
  const length = webp.readUInt32LE(at + 4)
  return webp.subarray(at, at + 8 + length + (length % 2))
}
