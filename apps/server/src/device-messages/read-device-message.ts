import { BinaryError, isPlistDictionary, parsePlist, verifyMessage } from '@fairlead/binary'
import { toCleanName } from '@fairlead/contract'
import { isFromApple } from './apple-authority.ts'
import type { DeviceMessageAnswer, DeviceMessageRequest } from './device-message.ts'

/** Devices since 2018 have the first form, which is in capitals. */
const udidPattern = /^(?:[0-9A-F]{8}-[0-9A-F]{16}|[0-9A-Fa-f]{40})$/

const plistLimits = { maxBytes: 64 * 1024, maxObjects: 1000, maxDepth: 8, maxExpandedBytes: 256 * 1024 }

/** Reads what a device has signed: a property list in XML with what the profile asked for. */
export function readDeviceMessage({ message }: DeviceMessageRequest): DeviceMessageAnswer {
  try {
    const { content, certificate } = verifyMessage(Buffer.from(message))
    const list = parsePlist(content, plistLimits)
    const udid = isPlistDictionary(list) ? list['UDID'] : undefined
    if (!isPlistDictionary(list) || typeof udid !== 'string' || !udidPattern.test(udid)) {
      return { fault: 'The message names no UDID' }
    }
    return {
      facts: {
        udid,
        product: toText(list['PRODUCT']),
        osVersion: toText(list['VERSION']),
        challenge: toText(list['CHALLENGE'], 500),
        isAppleSigned: isFromApple(certificate),
      },
    }
  } catch (error) {
    if (!(error instanceof BinaryError)) throw error
    return { fault: error.message }
  }
}

function toText(value: unknown, limit = 50): string | null {
  if (typeof value !== 'string') return null
  const text = toCleanName(value.slice(0, limit).toWellFormed()).trim()
  return text === '' ? null : text
}
