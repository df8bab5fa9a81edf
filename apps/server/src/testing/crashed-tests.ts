import { writeZip } from '@fairlead/binary/fixture'
import { sampleUuid } from '@fairlead/symbols/fixture'

const imageBase = 0x104d48000
/** An offset inside `round`, which is inlined into `Cart::total()` of the sample app. */
const faultOffset = 0x130
/** The offset after the call of `Cart::total()` in `main`. */
const returnOffset = 0x1a4
const hex = (offset: number) => (imageBase + offset).toString(16).padStart(16, '0')

/** The mapping of the crash that `writeConnectedTests` has, in the form that R8 writes. */
export const connectedMapping = [
  'com.example.shop.Cart -> a.a:',
  '# {"id":"sourceFile","fileName":"Cart.kt"}',
  '    1:2:void checkOut():41:42 -> b',
  '',
].join('\n')

/** A crash as logcat has it on a device, with an obfuscated frame of the app. */
const logcat = [
  '11-22 04:00:01.120  4242  4242 I TestRunner: started: checksOut(com.example.shop.CartTest)',
  '11-22 04:00:02.240  4242  4242 D Cart    : opens the till',
  '11-22 04:00:03.360  4242  4242 E AndroidRuntime: FATAL EXCEPTION: main',
  '11-22 04:00:03.360  4242  4242 E AndroidRuntime: Process: com.example.shop, PID: 4242',
  '11-22 04:00:03.360  4242  4242 E AndroidRuntime: java.lang.IllegalStateException: cart is empty',
  '11-22 04:00:03.360  4242  4242 E AndroidRuntime: \tat a.a.b(SourceFile:2)',
  '11-22 04:00:03.360  4242  4242 E AndroidRuntime: \tat android.os.Handler.dispatchMessage(Handler.java:102)',
  '',
].join('\n')

/** The results of an Android connected test whose app crashed: JUnit XML and a log for each case, in a zip archive. */
export function writeConnectedTests(): Buffer {
  const report = [
    "<?xml version='1.0' encoding='UTF-8' ?>",
    '<testsuite name="com.example.shop.CartTest" tests="2" failures="1" errors="0" skipped="0" time="4.2">',
    '  <properties><property name="device" value="Pixel_8(AVD) - 15" /></properties>',
    '  <testcase name="opens" classname="com.example.shop.CartTest" time="0.9" />',
    '  <testcase name="checksOut" classname="com.example.shop.CartTest" time="3.3">',
    '    <failure>Test run failed to complete. Instrumentation run failed due to Process crashed.</failure>',
    '  </testcase>',
    '</testsuite>',
  ].join('\n')
  return writeZip([
    { name: 'connected/TEST-Pixel_8(AVD) - 15-_app-.xml', data: Buffer.from(report) },
    { name: 'connected/logcat-com.example.shop.CartTest-checksOut.txt', data: Buffer.from(logcat) },
  ])
}

/** The results of an iOS UI test whose app crashed, with the crash report of the device as an attachment. */
export function writeUiTests(extension: 'ips' | 'crash'): Buffer {
  const name = `Shop-2026-11-22-040003.${extension}`
  const report = [
    '<testsuites name="ShopUITests"><testsuite name="ShopUITests.CartUITests" tests="1" failures="1">',
    '<testcase classname="ShopUITests.CartUITests" name="testTotal()" time="5.1">',
    '<failure message="Application com.example.shop is not running">CartUITests.swift:21</failure>',
    `<system-out>[[ATTACHMENT|attachments/${name}]]</system-out>`,
    '</testcase></testsuite></testsuites>',
  ].join('\n')
  const crash = extension === 'ips' ? writeIps() : writeLegacyCrash()
  return writeZip([
    { name: 'report.junit', data: Buffer.from(report) },
    { name: `attachments/${name}`, data: Buffer.from(crash) },
  ])
}

function writeIps(): string {
  const body = {
    procName: 'Shop',
    procPath: '/private/var/containers/Bundle/Application/Shop.app/Shop',
    exception: { type: 'EXC_BAD_ACCESS', signal: 'SIGSEGV' },
    faultingThread: 0,
    threads: [
      {
        triggered: true,
        queue: 'com.apple.main-thread',
        frames: [
          { imageOffset: faultOffset, imageIndex: 0 },
          { imageOffset: returnOffset, imageIndex: 0 },
        ],
      },
    ],
    usedImages: [
      { source: 'P', arch: 'arm64', base: imageBase, size: 0x20000, uuid: sampleUuid.toLowerCase(), name: 'Shop' },
    ],
  }
  return `${JSON.stringify({ app_name: 'Shop', bug_type: '309' })}\n${JSON.stringify(body, undefined, 2)}\n`
}

function writeLegacyCrash(): string {
  return [
    'Incident Identifier: 7BA1BD2F-C0C1-491D-9574-2BA7B5089CFF',
    'Hardware Model:      iPhone14,2',
    'Process:             Shop [862]',
    'Code Type:           ARM-64',
    '',
    'Exception Type:  EXC_BAD_ACCESS (SIGSEGV)',
    'Triggered by Thread:  0',
    '',
    'Thread 0 name:  Dispatch queue: com.apple.main-thread',
    'Thread 0 Crashed:',
    `0   Shop                          \t0x${hex(faultOffset)} 0x104d48000 + ${faultOffset}`,
    `1   Shop                          \t0x${hex(returnOffset)} 0x104d48000 + ${returnOffset}`,
    '',
    'Binary Images:',
    `       0x104d48000 -        0x104d67fff Shop arm64  <${sampleUuid.replaceAll('-', '').toLowerCase()}> /app/Shop`,
    '',
  ].join('\n')
}
