import { isAssertion } from './assertion.ts'

const lostDevice = new RegExp(
  [
    String.raw`\b(device|emulator|simulator)\b.{0,80}\b(lost|offline|disconnected|not found)\b`,
    String.raw`\blost (the )?connection to\b.{0,60}\b(device|emulator|simulator|test runner|test process)\b`,
    String.raw`\b(unable|failed) to (boot|connect to|launch|start)\b.{0,60}\b(device|emulator|simulator)\b`,
    String.raw`\bno (connected )?devices?( found| available|/emulators)?\b`,
    String.raw`\bDevice(Disconnected|NotFound|Offline)\w*Exception\b`,
    String.raw`\b(ShellCommandUnresponsive|AdbCommandRejected)Exception\b`,
  ].join('|'),
  'i',
)

/** What tools and runtimes write when the network, the browser or the disk of the machine failed. */
const lostMachine = new RegExp(
  [
    String.raw`\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|ENETDOWN|ENOSPC|EDQUOT|EROFS)\b`,
    String.raw`\bUnknownHostException\b|\bsocket\.gaierror\b|\bNo address associated with hostname\b`,
    String.raw`\b(?:Temporary failure in name resolution|Name or service not known|nodename nor servname provided)\b`,
    String.raw`\blookup \S+(?: on \S+)?: no such host\b`,
    String.raw`\bERR_(?:NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|NETWORK_CHANGED|ADDRESS_UNREACHABLE)\b`,
    String.raw`\bERR_PROXY_CONNECTION_FAILED\b`,
    String.raw`\bNo space left on device\b|\bNSURLErrorDomain\b.{0,20}-(?:1003|1009)\b`,
    String.raw`\bFailed to launch the browser\b|\bsession not created\b|\bchrome not reachable\b`,
    String.raw`\bbrowserType\.launch: `,
  ].join('|'),
  'i',
)

/**
 * Tells whether a failure itself names a lost device, simulator, browser, network or disk, which says nothing about the
 * test. The failed assertion of a test may compare such words, so there only those of a device count.
 */
export function isMachineFailure(failure: {
  type: string | null
  message: string | null
  details: string | null
}): boolean {
  const text = `${failure.type ?? ''} ${failure.message ?? firstLine(failure.details)}`.slice(0, 2000)
  return lostDevice.test(text) || (lostMachine.test(text) && !isAssertion(failure))
}

function firstLine(text: string | null): string {
  return text?.trimStart().split('\n', 1)[0] ?? ''
}
