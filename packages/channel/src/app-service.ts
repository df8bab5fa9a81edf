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

/** The app's end of the channel: the common verbs, and what only an app has to say. */
export class AppService extends XPCService {
  readonly #peer: Peer
  readonly #isReadyAutomatically: () => void
  #holds = 0

  /** `schedule` runs its argument when the modules of the app have been evaluated. */
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
   * Lets messages wait until this is settled: for handlers that are registered after an `await` of the launch.
   * Without it they wait until the app's modules have been evaluated.
   */
  readyAfter(launched: PromiseLike<unknown>): void {
    this.#holds++
    const release = () => {
      this.#holds--
      this.#isReadyAutomatically()
    }
    launched.then(release, release)
  }

  /** Answers permission statuses in place of the platform's own responder. */
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
