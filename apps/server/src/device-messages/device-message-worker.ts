/** Main module of a process that reads messages of devices. */
import { answerRequests } from '@fairlead/workers'
import type { DeviceMessageAnswer, DeviceMessageRequest } from './device-message.ts'
import { readDeviceMessage } from './read-device-message.ts'

answerRequests(async (request: DeviceMessageRequest): Promise<DeviceMessageAnswer> => readDeviceMessage(request))
