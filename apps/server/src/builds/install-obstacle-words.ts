import type { BuildObstacle } from './install-obstacles.ts'

interface Explained {
  title: string
  text: string
}

/** @param formatDate formats epoch milliseconds as a date */
type Explain<Kind> = (
  obstacle: Extract<BuildObstacle, { kind: Kind }>,
  formatDate: (instant: number) => string,
) => Explained

/** The obstacles of a build in English, for the warnings of the API and for the English install page. */
export const obstacleWords: { [Kind in BuildObstacle['kind']]: Explain<Kind> } = {
  partOfApp: () => ({
    title: 'Only a part of the app',
    text: 'Android does not install it without its other parts. Ask the team for one APK that holds the whole app.',
  }),
  testOnly: () => ({
    title: 'Made for tests on a cable',
    text:
      'Android installs this build from a developer’s computer only. Ask the team for one that is not marked ' +
      '“test only”.',
  }),
  simulatorOnly: () => ({
    title: 'Built for the simulator',
    text: 'No device runs this build. Ask the team for one that is built for devices.',
  }),
  notSigned: ({ platform }) => ({
    title: 'This build is not signed',
    text:
      `${platform === 'ios' ? 'iOS' : 'Android'} refuses apps without a signature. Ask the team for a signed ` +
      'build.',
  }),
  brokenSignature: () => ({
    title: 'The signature is broken',
    text: 'The file was changed after it was signed, so Android refuses it. Ask the team for a new build.',
  }),
  oldSignature: () => ({
    title: 'Signed in the old way only',
    text: 'Android 11 and later refuse this build: it lacks a signature of scheme v2 or later.',
  }),
  profileExpired: ({ date }, formatDate) => ({
    title: 'The provisioning profile has expired',
    text: `It ended on ${formatDate(date)}. iOS will neither install nor open this build.`,
  }),
  appStoreOnly: () => ({
    title: 'This build is for the App Store',
    text: 'It is signed for the App Store and TestFlight, and cannot be installed from a link.',
  }),
  registeredDevicesOnly: ({ count }) => ({
    title: 'Only for registered devices',
    text:
      (count === null ? '' : count === 1 ? 'The build allows 1 device. ' : `The build allows ${count} devices. `) +
      'If yours is not among them, the installation fails.',
  }),
  targetTooOld: ({ since, madeFor }) => ({
    title: 'Made for a very old Android',
    text: `Android ${since} and later refuse apps made for Android ${madeFor} or older.`,
  }),
}
