import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parsePlist } from '@fairlead/binary'
import { openTemporaryFolder } from './server-process.ts'

const run = promisify(execFile)

/** What a profile of the type Profile Service asks of a device. */
export interface DeviceQuestion {
  url: string
  challenge: string
}

export function readDeviceQuestion(profile: Uint8Array): DeviceQuestion {
  const { PayloadContent: content } = Object(parsePlist(Buffer.from(profile)))
  return { url: String(content.URL), challenge: String(content.Challenge) }
}

interface DeviceAnswer {
  UDID: string
  PRODUCT: string
  VERSION: string
  CHALLENGE: string
}

/** Has OpenSSL sign the answer of a device, as BER with indefinite lengths, which is what devices send. */
async function signDeviceAnswer(answer: DeviceAnswer): Promise<Buffer> {
  await using folder = await openTemporaryFolder()
  const options = { cwd: folder.path }
  const entries = Object.entries(answer).map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
  const list = `<?xml version="1.0"?><plist version="1.0"><dict>${entries.join('')}</dict></plist>`
  await writeFile(join(folder.path, 'content'), list)
  const signer = ['-keyout', 'device.key', '-out', 'device.pem']
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Device', ...signer], options)
  const files = ['-in', 'content', '-signer', 'device.pem', '-inkey', 'device.key', '-out', 'message']
  const form = ['-nodetach', '-binary', '-stream', '-outform', 'DER']
  await run('openssl', ['cms', '-sign', ...files, ...form], options)
  return readFile(join(folder.path, 'message'))
}

/** Sends the answer, as iOS does. Returns the address that it then opens. */
export async function answerDeviceQuestion(
  { url, challenge }: DeviceQuestion,
  device: Omit<DeviceAnswer, 'CHALLENGE'>,
): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/pkcs7-signature' },
    body: new Uint8Array(await signDeviceAnswer({ ...device, CHALLENGE: challenge })),
  })
  if (answer.status !== 301) throw new Error(`The device got ${answer.status}: ${await answer.text()}`)
  return answer.headers.get('location') ?? ''
}
