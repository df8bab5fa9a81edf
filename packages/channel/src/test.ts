/** The test's door: launches an app, or waits for one that another tool launches. */
export { launch, LaunchedApp, type LaunchOptions } from './node/launch.ts'
export { TestedApp } from './node/tested-app.ts'
export { XPCError, type XPCErrorCode } from './xpc-error.ts'
export { defineMessages } from './catalogue.ts'
export type { Exit } from './node/app-process.ts'
export type { Decoded, Descriptor, Encoded, StandardSchema } from './descriptor.ts'
export type { MessageContext } from './peer/message-context.ts'
export type { Result, SendAsyncOptions, SendOptions, XPCService } from './xpc-service.ts'
