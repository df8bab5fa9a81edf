import { createHash } from 'node:crypto'
import { ApiError } from '@fairlead/contract'
import { recordByTester } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { DeviceFacts } from '../device-messages/device-message.ts'
import { refuseWhenFull } from '../http/queue-full.ts'
import { findTesterById, type LinkedTesterRecord } from '../testers/find.ts'
import { toTesterPageUrl } from '../tester-links/page-link.ts'
import { isChallengeOf, parseChallenge } from './challenge.ts'
import { toDeviceName, toUdidKey } from './device.ts'
import { answerChallenge, countDevicesOf, saveDevice } from './store.ts'

type Context = Pick<AppContext, 'db' | 'log' | 'config' | 'signingKey' | 'readers'>

/** A person has a few phones and tablets; whoever has the link cannot fill the list. */
const devicesPerTester = 20

export interface ChallengedDevice {
  tester: LinkedTesterRecord
  expiresAt: number
}

/**
 * Finds whom a challenge was given to, before the answer is read.
 *
 * @throws {ApiError} deviceChallengeNotFound, deviceChallengeOver
 */
export async function requireChallenge(context: Context, text: string): Promise<ChallengedDevice> {
  const challenge = parseChallenge(text)
  const tester = challenge && (await findTesterById(context, challenge.testerId))
  if (!challenge || !tester || !isChallengeOf(context.signingKey, tester, text)) {
    throw new ApiError('deviceChallengeNotFound')
  }
  if (challenge.expiresAt <= Date.now()) throw new ApiError('deviceChallengeOver')
  return { tester, expiresAt: challenge.expiresAt }
}

/**
 * Keeps the device that has answered a challenge. The same device may answer again.
 *
 * @returns the address that the device is to open
 * @throws {ApiError} deviceChallengeNotFound, deviceChallengeOver, unreadableDevice, tooManyDevices
 */
export async function receiveDevice(
  context: Context,
  challenge: string,
  { message, address }: { message: Buffer; address: string },
): Promise<string> {
  const { tester, expiresAt } = await requireChallenge(context, challenge)
  const turn = { turnKey: String(tester.workspace_id) }
  const answer = await context.readers.devices.read({ message }, turn).catch(refuseWhenFull)
  if ('fault' in answer) throw new ApiError('unreadableDevice', { detail: answer.fault })
  const { facts } = answer
  if (facts.challenge !== challenge) {
    throw new ApiError('unreadableDevice', { detail: 'The message answers another challenge' })
  }
  const isNew = await keepDevice(context, tester, facts, { challenge, expiresAt })
  if (isNew) {
    const who = { workspaceId: tester.workspace_id, email: tester.email }
    await recordByTester(context, who, { action: 'device.add', address, target: '/devices' })
  }
  return toTesterPageUrl(tester, context.config.baseUrl, context.signingKey)
}

async function keepDevice(
  { db }: Context,
  tester: LinkedTesterRecord,
  facts: DeviceFacts,
  { challenge, expiresAt }: { challenge: string; expiresAt: number },
): Promise<boolean> {
  const udidKey = toUdidKey(facts.udid)
  const udidHash = toHash(udidKey)
  return transact(db, async (trx) => {
    const answered = await answerChallenge(trx, {
      challenge_hash: toHash(challenge),
      tester_id: tester.id,
      udid_hash: udidHash,
      expires_at: expiresAt,
    })
    if (answered !== udidHash) throw new ApiError('deviceChallengeOver')
    const { isNew } = await saveDevice(trx, {
      workspace_id: tester.workspace_id,
      tester_id: tester.id,
      udid: facts.udid,
      udid_key: udidKey,
      product: facts.product,
      os_version: facts.osVersion,
      name: toDeviceName(tester, facts.product),
      is_apple_signed: facts.isAppleSigned ? 1 : 0,
      apple_state: 'none',
      created_at: Date.now(),
    })
    if (isNew && (await countDevicesOf(trx, tester.id)) > devicesPerTester) throw new ApiError('tooManyDevices')
    return isNew
  })
}

function toHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
