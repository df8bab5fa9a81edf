/** Entry point for an app. `xpcService` is undefined unless the app runs under test. */
import { openAppChannel } from './node/app-channel.ts'
import type { AppService } from './app-service.ts'

export const xpcService: AppService | undefined = openAppChannel(process.env)

export { XPCError, type XPCErrorCode } from './xpc-error.ts'
export { defineMessages } from './catalogue.ts'
export type { AppService } from './app-service.ts'
export type { AuthorizationResponders } from './authorization.ts'
export type { Decoded, Descriptor, Encoded, StandardSchema } from './descriptor.ts'
export type { MessageContext } from './peer/message-context.ts'
export type { Result, SendAsyncOptions, SendOptions } from './service-verbs.ts'
export type { XPCService } from './xpc-service.ts'
