import {
  describeStatus,
  nameAuthorizationMessage,
  type AuthorizationKind,
  type AuthorizationStatus,
  type EntityType,
  type MediaType,
  type PhotoAccessLevel,
} from '../authorization.ts'
import { clearTimer, setTimer } from '../host-clock.ts'
import type { XPCService } from '../xpc-service.ts'
import type { Exit } from './app-process.ts'

/** How the handle ends the process and the connection that it stands for. */
export interface AppControl {
  readonly pid: number
  readonly exited: Promise<Exit>
  /** Ends the connection and asks the app to end. */
  end(): void
  /** Ends the app for good. */
  kill(): void
}

/** How long an app that was asked to end may take, in milliseconds. */
const graceTime = 5000

/** The app under test, as its test sees it. Disposing of it ends the app. */
export class TestedApp {
  readonly xpcService: XPCService
  readonly #control: AppControl

  constructor(xpcService: XPCService, control: AppControl) {
    this.xpcService = xpcService
    this.#control = control
  }

  get pid(): number {
    return this.#control.pid
  }

  /** Resolves when the process has ended. */
  get exited(): Promise<Exit> {
    return this.#control.exited
  }

  get contactsAuthorizationStatus(): AuthorizationStatus<'contacts'> {
    return this.#ask('contacts')
  }

  get locationAuthorizationStatus(): AuthorizationStatus<'location'> {
    return this.#ask('location')
  }

  mediaAuthorizationStatus(options: { for: MediaType }): AuthorizationStatus<'media'> {
    return this.#ask('media', options.for)
  }

  eventKitAuthorizationStatus(options: { for: EntityType }): AuthorizationStatus<'eventKit'> {
    return this.#ask('eventKit', options.for)
  }

  get userNotificationSettingsAuthorizationStatus(): AuthorizationStatus<'userNotificationSettings'> {
    return this.#ask('userNotificationSettings')
  }

  photoLibraryAuthorizationStatus(options: { for: PhotoAccessLevel }): AuthorizationStatus<'photoLibrary'> {
    return this.#ask('photoLibrary', options.for)
  }

  healthKitAuthorizationStatus(options: { for: string }): AuthorizationStatus<'healthKit'> {
    return this.#ask('healthKit', options.for)
  }

  /** Ends the connection and the app, and waits until it has gone; after five seconds it is killed. */
  async close(): Promise<void> {
    this.#control.end()
    const timer = setTimer(() => this.#control.kill(), graceTime)
    await this.#control.exited
    clearTimer(timer)
  }

  /** The same without waiting. */
  [Symbol.dispose](): void {
    this.close().catch(() => {})
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #ask<K extends AuthorizationKind>(kind: K, subject?: string): AuthorizationStatus<K> {
    const decoding = describeStatus(kind)
    return this.xpcService.send(nameAuthorizationMessage(kind), subject, { decoding })
  }
}
