import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { QueueFullError } from '@fairlead/workers'
import { askWhileStopped, canStopProcesses } from '@fairlead/workers/testing'
import { openTemporaryFolder } from '../../test/temporary-folder.ts'
import { writeApk, writeZip } from '../fixture/fixture.ts'
import { writeApks } from '../fixture/write-apk.ts'
import { BinaryError, createAppReader, readApp, readImages } from '../index.ts'
import { readIcon } from '../read-icon.ts'

/** Writes an APK with so many entries that reading it takes noticeable time and memory. */
function writeCrowdedApk(): Buffer {
  const files = Array.from({ length: 60_000 }, (_, index) => ({
    name: `assets/${'n'.repeat(200)}${index}`,
    data: Buffer.alloc(0),
  }))
  return writeApk({ schemes: [], files })
}

describe('createAppReader', () => {
  test('returns the same results from its processes as readApp, readIcon and readImages', async () => {
    using folder = openTemporaryFolder()
    await using reader = createAppReader({ workers: 2 })
    const paths = [1, 2, 3, 4, 5].map((versionCode) => folder.write(`${versionCode}.apk`, writeApk({ versionCode })))
    const apps = await Promise.all(paths.map((path) => reader.readApp(path, { verify: true })))
    assert.deepEqual(apps, await Promise.all(paths.map((path) => readApp(path, { verify: true }))))
    const [path = ''] = paths
    const { app, icon, images, errors } = await reader.readAppFile(path, { verify: true })
    assert.deepEqual(app, apps[0])
    assert.deepEqual(icon, await readIcon(path, app.icon ?? assert.fail('no icon')))
    assert.deepEqual(images, await readImages(path))
    assert.deepEqual(errors, [])
  })

  test('reads an app whose icon or images cannot be read, and gives the reason', async () => {
    using folder = openTemporaryFolder()
    await using reader = createAppReader()
    const bytes = writeApk({ files: [{ name: 'classes.dex', data: Buffer.alloc(1000, 'code'), deflate: true }] })
    // A deflated block of the reserved type 3 stands where the classes begin.
    bytes[bytes.indexOf('classes.dex') + 'classes.dex'.length] = 0xff
    const file = await reader.readAppFile(folder.write('app.apk', bytes))
    assert.equal(file.app.name, 'Sample')
    assert.equal(file.icon?.format, 'png')
    assert.deepEqual(file.images, [])
    assert.deepEqual(
      file.errors.map(({ code }) => code),
      ['malformed-zip'],
    )
  })

  test('reads an app without its icon and images if reading them ended the process', async (context) => {
    const children = `/proc/self/task/${process.pid}/children`
    if (!existsSync(children)) return context.skip('only Linux lists the children of a process')
    using folder = openTemporaryFolder()
    await using reader = createAppReader()
    const path = folder.write('app.apk', writeApk())
    await reader.readApp(path)
    const pids = readFileSync(children, 'utf8').split(' ').filter(Boolean).map(Number)
    // An id of 0 would mean every process of this group, the runner of the tests included.
    assert.ok(pids.length > 0 && pids.every((pid) => pid > 1))
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    const { app, icon, images, errors } = await reader.readAppFile(path)
    assert.equal(app.name, 'Sample')
    assert.deepEqual([icon, images, errors.map(({ code }) => code)], [null, [], ['crashed']])
  })

  test('rejects with the errors of readApp, including their fields', async () => {
    using folder = openTemporaryFolder()
    await using reader = createAppReader()
    const path = folder.write('set.apks', writeApks({ packageName: 'dev.example.set' }))
    await assert.rejects(reader.readApp(path), (error) => {
      assert.ok(error instanceof BinaryError)
      assert.equal(error.code, 'split-archive')
      assert.equal(error.app?.bundleIdentifier, 'dev.example.set')
      return true
    })
    await assert.rejects(reader.readApp(folder.write('no.apk', writeZip([]))), { code: 'not-an-app' })
    await assert.rejects(reader.readApp(folder.path('nothing')), { code: 'unreadable' })
  })

  test('aborts a file that takes too long and reads the next', async () => {
    using folder = openTemporaryFolder()
    await using reader = createAppReader()
    const crowded = folder.write('crowded.apk', writeCrowdedApk())
    const small = folder.write('small.apk', writeApk())
    const slow = reader.readApp(crowded, { timeoutMs: 1 })
    const next = reader.readApp(small)
    await assert.rejects(slow, { code: 'timeout' })
    assert.equal((await next).name, 'Sample')
    assert.equal((await reader.readApp(crowded)).name, 'Sample')
  })

  test(
    'does not lose a file on a machine so busy that its process is not run',
    { skip: !canStopProcesses },
    async (context) => {
      using folder = openTemporaryFolder()
      const path = folder.write('app.apk', writeApk())
      {
        await using reader = createAppReader()
        const app = await askWhileStopped(context, 60_000, () => reader.readApp(path))
        assert.equal(app.name, 'Sample')
      }
      {
        await using reader = createAppReader()
        const { app, icon, errors } = await askWhileStopped(context, 60_000, () => reader.readAppFile(path))
        assert.deepEqual([app.name, icon?.format, errors], ['Sample', 'png', []])
      }
      await using reader = createAppReader()
      await assert.rejects(
        askWhileStopped(context, 120_000, () => reader.readApp(path)),
        { code: 'timeout' },
      )
    },
  )

  test('gives callers turns and refuses files beyond the limits of the queue', async () => {
    using folder = openTemporaryFolder()
    await using reader = createAppReader({ maxQueued: 4, maxQueuedPerKey: 3 })
    const path = folder.write('app.apk', writeApk())
    const order: string[] = []
    const read = (turnKey: string) => reader.readApp(path, { turnKey }).then(() => void order.push(turnKey))
    const all = [read('busy'), read('busy'), read('busy'), read('busy'), read('other')]
    await assert.rejects(read('busy'), QueueFullError)
    await Promise.all(all)
    assert.deepEqual(order, ['busy', 'busy', 'other', 'busy', 'busy'])
  })

  test('drops waiting and running files whose signal is aborted, and reads the next', async () => {
    using folder = openTemporaryFolder()
    await using reader = createAppReader()
    const crowded = folder.write('crowded.apk', writeCrowdedApk())
    const hangUp = new AbortController()
    const reads = [1, 2, 3].map(() => reader.readApp(crowded, { signal: hangUp.signal }))
    const next = reader.readApp(folder.write('small.apk', writeApk()))
    hangUp.abort(new Error('gone'))
    for (const one of reads) await assert.rejects(one, /gone/)
    assert.equal((await next).name, 'Sample')
  })

  test('aborts a file that takes too much memory and reads the next', async () => {
    using folder = openTemporaryFolder()
    await using reader = createAppReader({ maxMemoryMb: 16 })
    await assert.rejects(reader.readApp(folder.write('crowded.apk', writeCrowdedApk())), { code: 'out-of-memory' })
    assert.equal((await reader.readApp(folder.write('small.apk', writeApk()))).name, 'Sample')
  })
})
