import type { Platform } from '@fairlead/contract'
import type { Obstacle } from '../obstacles.ts'

/** All texts of the install pages in one language. */
export interface Words {
  version(shortVersion: string, version: string): string
  madeFor: Record<Platform, string>
  size: string
  uploaded: string
  expires: string
  requires: string
  orLater(system: string): string
  beforeYouInstall: string
  notes: string
  install: string
  installOnIpad: string
  /** The text above the button for iPads, whose browser looks like one on a Mac. */
  onIpad: string
  download: Record<Platform, string>
  scan: string
  /** The heading above the builds that a latest link showed before. */
  olderBuilds: string
  /** Describes what happens after the install button was tapped. */
  afterTap: Record<Platform, string>
  help: string
  helpWith: Record<Platform, string[]>
  obstacles: { [Kind in Obstacle['kind']]: ExplainObstacle<Kind> }
  messages: Record<MessageKind, Explained>
  /** The text of the page that asks for the password of a protected link. */
  passwordNeeded: string
  password: string
  continue: string
  passwordWrong: string
  reference: string
}

export interface Explained {
  title: string
  text: string
}

export type MessageKind =
  | 'notFound'
  | 'nothingYet'
  | 'linkExpired'
  | 'linkRevoked'
  | 'buildRemoved'
  | 'downloadExpired'
  | 'tooManyAttempts'
  | 'badRequest'
  | 'failed'

/** @param formatDate formats epoch milliseconds as a date in the language */
type ExplainObstacle<Kind> = (
  obstacle: Extract<Obstacle, { kind: Kind }>,
  formatDate: (instant: number) => string,
) => Explained
