import {
  authorizationKinds,
  describeStatus,
  nameAuthorizationMessage,
  type AuthorizationKind,
  type AuthorizationResponders,
} from './authorization.ts'
import { toHandler } from './conversions.ts'
import type { Peer } from './peer/peer.ts'
import { XPCService } from './xpc-service.ts'

/** The app's end of the channel: the verbs of both sides, and those that only an app has. */
export class AppService extends XPCService {
  readonly #peer: Peer
  readonly #isReadyAutomatically: () => void
  #holds = 0

  /** `schedule` must run its argument once the app's modules have been evaluated. */
  constructor(peer: Peer, schedule: (becomeReady: () => void) => void) {
    super(peer)
    this.#peer = peer
    this.#isReadyAutomatically = () => {
      if (this.#holds === 0) peer.becomeReady()
    }
    for (const kind of authorizationKinds) this.#respond(kind, () => 'unavailable')
    schedule(this.#isReadyAutomatically)
  }

  /**
   * Makes messages wait until `launched` is settled, for handlers that are registered after an `await`. By default,
   * messages wait until the app's modules have been evaluated.
   */
  readyAfter(launched: PromiseLike<unknown>): void {
    this.#holds++
    const release = () => {
      this.#holds--
      this.#isReadyAutomatically()
    }
    launched.then(release, release)
  }

  /** Replaces the platform's default responders for permission statuses. */
  answerAuthorization(responders: AuthorizationResponders): void {
    for (const kind of authorizationKinds) {
      const responder = responders[kind]
      if (responder) this.#respond(kind, responder)
    }
  }

  #respond(kind: AuthorizationKind, responder: (subject: never) => unknown): void {
    const types = { decoding: Object, encoding: describeStatus(kind) }
    this.#peer.setDefaultHandler(nameAuthorizationMessage(kind), toHandler(types, responder))
  }
}
