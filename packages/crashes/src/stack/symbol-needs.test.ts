import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listNeeds, readReport, scrubCrash } from '../index.ts'
import { toStackContent } from './stack-content.ts'

const release = { shortVersion: null, version: null, installId: null }

function listNeededImages(report: string): (string | null)[] {
  const [crash] = readReport(Buffer.from(report), release).crashes
  assert.ok(crash)
  const { images } = listNeeds(toStackContent(scrubCrash(crash)))
  return images.filter(({ isNeeded }) => isNeeded).map(({ name }) => name)
}

function toUuid(index: number): string {
  return `0b1ad4cc-0000-3000-8000-${String(index).padStart(12, '0')}`
}

describe('the images whose symbols a crash needs', () => {
  it('are those of the app, not those of the system, wherever the report says that the system is', () => {
    const paths = [
      '/private/var/containers/Bundle/Application/1/Shop.app/Shop',
      '/private/var/containers/Bundle/Application/1/Shop.app/Frameworks/Cart.framework/Cart',
      '/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore',
      '/System/Library/CoreServices/SpringBoard.app/SpringBoard',
      '/usr/lib/system/libdyld.dylib',
      '/private/preboot/Cryptexes/OS/System/Library/CoreServices/Web.app/Web',
      '/Applications/Xcode.app/Contents/Library/CoreSimulator/RuntimeRoot/System/Library/Frameworks/Map.framework/Map',
      '/Applications/Xcode.app/Contents/Library/CoreSimulator/RuntimeRoot/usr/lib/libother.dylib',
    ]
    const body = {
      exception: { type: 'EXC_CRASH' },
      faultingThread: 0,
      threads: [{ triggered: true, frames: paths.map((_, imageIndex) => ({ imageIndex, imageOffset: 16 })) }],
      usedImages: paths.map((path, index) => {
        return { base: 2 ** 32 * (index + 1), size: 4096, uuid: toUuid(index), name: path.split('/').at(-1), path }
      }),
    }
    assert.deepEqual(listNeededImages(`{"bug_type":"309"}\n${JSON.stringify(body)}`), ['Shop', 'Cart'])
  })

  it('are told by their names where MetricKit gives no paths', () => {
    const names = ['libsystem_kernel.dylib', 'Shop', 'UIKitCore', 'dyld']
    const frames = names.map((binaryName, index) => {
      return { binaryName, binaryUUID: toUuid(index), offsetIntoBinaryTextSegment: 17, address: 4096 * index + 17 }
    })
    const root = frames.reduceRight<object | undefined>(
      (caller, frame) => ({ ...frame, subFrames: caller === undefined ? [] : [caller] }),
      undefined,
    )
    const callStackTree = { callStacks: [{ threadAttributed: true, callStackRootFrames: [root] }] }
    const diagnosticMetaData = { exceptionType: 1, bundleIdentifier: 'com.example.shop', appBuildVersion: '1' }
    const payload = { timeStampBegin: '2026-11-20 09:00:00', crashDiagnostics: [{ diagnosticMetaData, callStackTree }] }
    assert.deepEqual(listNeededImages(JSON.stringify(payload)), ['Shop'])
  })
})
