import type { Platform } from '@fairlead/contract'
import type { Obstacle } from '../obstacles.ts'

/** Every word the pages say of their own, in one language. */
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
  /** Above the button that is only of use when what looks like a Mac is an iPad. */
  onIpad: string
  download: Record<Platform, string>
  scan: string
  /** What the device does once the button was tapped. */
  afterTap: Record<Platform, string>
  help: string
  helpWith: Record<Platform, string[]>
  obstacles: { [Kind in Obstacle['kind']]: ExplainObstacle<Kind> }
  messages: Record<MessageKind, Explained>
  openAgain: string
  reference: string
}

export interface Explained {
  title: string
  text: string
}

export type MessageKind = 'notFound' | 'linkExpired' | 'downloadExpired' | 'badRequest' | 'failed'

/** @param formatDate epoch milliseconds as a date of the language */
type ExplainObstacle<Kind> = (
  obstacle: Extract<Obstacle, { kind: Kind }>,
  formatDate: (instant: number) => string,
) => Explained
