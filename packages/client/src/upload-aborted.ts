import type { Build } from '@fairlead/contract'

/** The rejection of an upload whose signal was aborted. It says what became of the build. */
export class UploadAborted extends Error {
  override readonly name = 'AbortError'
  /** The build that the server had made of the whole file before it could be stopped; null if none is known. */
  readonly build: Build | null
  /** Whether the server had every byte and did not answer, so that it may still have made a build. */
  readonly isUncertain: boolean

  constructor(outcome: { build: Build | null; isUncertain: boolean }, cause: unknown) {
    super('The upload was aborted', { cause })
    this.build = outcome.build
    this.isUncertain = outcome.isUncertain
  }
}
