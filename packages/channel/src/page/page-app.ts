import {
  describeStatus,
  nameAuthorizationMessage,
  type AuthorizationKind,
  type AuthorizationStatus,
  type EntityType,
  type MediaType,
  type PhotoAccessLevel,
} from '../authorization.ts'
import type { XPCService } from '../xpc-service.ts'

/**
 * Handle of a web page under test. Permission statuses are promises, because a page's answers go through its browser.
 */
export class PageApp {
  readonly xpcService: XPCService
  readonly #close: () => void

  constructor(xpcService: XPCService, close: () => void) {
    this.xpcService = xpcService
    this.#close = close
  }

  get contactsAuthorizationStatus(): Promise<AuthorizationStatus<'contacts'>> {
    return this.#ask('contacts')
  }

  get locationAuthorizationStatus(): Promise<AuthorizationStatus<'location'>> {
    return this.#ask('location')
  }

  mediaAuthorizationStatus(options: { for: MediaType }): Promise<AuthorizationStatus<'media'>> {
    return this.#ask('media', options.for)
  }

  eventKitAuthorizationStatus(options: { for: EntityType }): Promise<AuthorizationStatus<'eventKit'>> {
    return this.#ask('eventKit', options.for)
  }

  get userNotificationSettingsAuthorizationStatus(): Promise<AuthorizationStatus<'userNotificationSettings'>> {
    return this.#ask('userNotificationSettings')
  }

  photoLibraryAuthorizationStatus(options: { for: PhotoAccessLevel }): Promise<AuthorizationStatus<'photoLibrary'>> {
    return this.#ask('photoLibrary', options.for)
  }

  healthKitAuthorizationStatus(options: { for: string }): Promise<AuthorizationStatus<'healthKit'>> {
    return this.#ask('healthKit', options.for)
  }

  /** Ends the channel; the page stays open. */
  close(): void {
    this.#close()
  }

  [Symbol.dispose](): void {
    this.#close()
  }

  #ask<K extends AuthorizationKind>(kind: K, subject?: string): Promise<AuthorizationStatus<K>> {
    return this.xpcService.sendAsync(nameAuthorizationMessage(kind), subject, { decoding: describeStatus(kind) })
  }
}
