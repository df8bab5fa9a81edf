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
  feedback: FeedbackTexts
  devices: DeviceTexts
  passwordNeeded: string
  password: string
  continue: string
  passwordWrong: string
  reference: string
  testerPage: TesterPageWords
}

/** The texts of the page with all builds of a tester, and of the page where mails are turned off. */
export interface TesterPageWords {
  /** The link to the page. */
  allBuilds: string
  title: string
  /** Says whose page it is. */
  of(address: string): string
  keepPrivate: string
  nothing: string
  allApps: string
  /** Stands beside a build that the tester installed. */
  installed: string
  open: string
  needsPassword: string
  cutAfter(count: number): string
  mails: string
  mailsOn(workspace: string, address: string): string
  mailsOff(workspace: string, address: string): string
  turnOff: string
  turnOn: string
}

export interface Explained {
  title: string
  text: string
}

/** The texts about the devices of a tester. */
export interface DeviceTexts {
  title: string
  /** The button that gets the profile. */
  add: string
  /** Why the device is asked for its ID, and who will see it. */
  why(team: string): string
  steps: string
  remove: string
  /** What iOS shows of the profile before it is installed. */
  profile: Explained
}

/** The texts of the form for feedback. */
export interface FeedbackTexts {
  send: string
  /** What the field of text is to hold. */
  text: string
  pictures: string
  picturesHint: string
  contact: string
  submit: string
  /** The page after the feedback was sent. */
  thanks: Explained
  back: string
  /** Why it was not sent. */
  textFault: string
  contactFault: string
  /** @param place the place of the picture from 1 */
  pictureFault(place: number): string
  tooManyPictures: string
  tooLarge: string
}

export type MessageKind =
  | 'addressWorks'
  | 'notFound'
  | 'pageNotFound'
  | 'nothingYet'
  | 'linkExpired'
  | 'linkRevoked'
  | 'buildRemoved'
  | 'downloadExpired'
  | 'tooManyAttempts'
  | 'tooMuchFeedback'
  | 'feedbackOff'
  | 'badRequest'
  | 'failed'

/** @param formatDate formats epoch milliseconds as a date in the language */
type ExplainObstacle<Kind> = (
  obstacle: Extract<Obstacle, { kind: Kind }>,
  formatDate: (instant: number) => string,
) => Explained
