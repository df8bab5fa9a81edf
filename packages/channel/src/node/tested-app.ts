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

/** The operations by which a handle ends its process and connection. */
export interface AppControl {
  readonly pid: number
  readonly exited: Promise<Exit>
  /** Ends the connection and asks the app to exit. */
  end(): void
  /** Kills the app. */
  kill(): void
}

/** Milliseconds that an app may take to exit before it is killed. */
const graceTimeMs = 5000

/** Handle of an app under test. Disposing of it ends the app. */
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

  /** Ends the connection and the app, and waits for its exit; after five seconds the app is killed. */
  async close(): Promise<void> {
    this.#control.end()
    const timer = setTimer(() => this.#control.kill(), graceTimeMs)
    await this.#control.exited
    clearTimer(timer)
  }

  /** Ends the connection and the app without waiting. */
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
