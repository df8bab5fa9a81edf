import { obstacleWords } from '../../builds/install-obstacle-words.ts'
import type { Words } from './words.ts'

export const en: Words = {
  version: (shortVersion, version) => `Version ${shortVersion} (${version})`,
  madeFor: { ios: 'iPhone and iPad', android: 'Android' },
  size: 'Size',
  uploaded: 'Uploaded',
  expires: 'Link valid until',
  requires: 'Requires',
  orLater: (system) => `${system} or later`,
  beforeYouInstall: 'Before you install',
  notes: 'What’s new',
  install: 'Install',
  installOnIpad: 'Install on this iPad',
  onIpad: 'Is this an iPad?',
  download: { ios: 'Download IPA', android: 'Download APK' },
  scan: 'Scan this code with the camera of your phone to install there.',
  olderBuilds: 'Earlier builds',
  afterTap: {
    ios: 'Confirm the question that follows. The app then appears on the home screen.',
    android: 'When the download has finished, open the file to install it.',
  },
  help: 'If the installation fails',
  helpWith: {
    ios: [
      'Nothing seems to happen? Look at the home screen: the icon is there, and dark until the app is complete.',
      '“Unable to install”: your device may not be registered for this build. Ask the team to add it.',
      '“Untrusted developer”: open Settings › General › VPN & Device Management and trust the developer.',
      'If the app asks for Developer Mode: turn it on under Settings › Privacy & Security, then restart.',
    ],
    android: [
      'If Android asks, allow your browser to install unknown apps, then go back and open the file again.',
      'If Play Protect warns, choose “More details”, then “Install anyway”, provided you trust the sender.',
      '“App not installed”: free some space. If that does not help, uninstall the version you have; its data is lost.',
      'Nothing seems to happen? Open the file from the Downloads of your browser.',
    ],
  },
  obstacles: {
    ...obstacleWords,
    wrongDevice: ({ platform }) =>
      platform === 'ios'
        ? {
            title: 'This build is for iPhone and iPad',
            text: 'It cannot be installed on Android. Open this link on an iPhone or iPad.',
          }
        : {
            title: 'This build is for Android',
            text: 'It cannot be installed on an iPhone or iPad. Open this link on an Android device.',
          },
    otherFamily: ({ devices }) => ({
      title: `This build is for ${devices}`,
      text: 'It cannot be installed on this device.',
    }),
    unreachableServer: () => ({
      title: 'Phones cannot reach this server',
      text: 'Its address is one that only this computer knows. The administrator has to set the public base URL.',
    }),
    insecureServer: () => ({
      title: 'iOS installs over HTTPS only',
      text: 'This server’s address does not start with https. The administrator has to change that.',
    }),
    systemTooOld: ({ needed, has }) => ({
      title: `This build requires ${needed}`,
      text: `Your device runs ${has}. Update it, or use a newer device.`,
    }),
    otherSigner: ({ build, isDebug }) => ({
      title: isDebug ? 'Signed with a debug key' : 'Signed with another key',
      text:
        `Version ${build.short_version} (${build.version}) has another signature. If you have it, uninstall it ` +
        'first; its data is lost.',
    }),
    higherInstalled: ({ build }) => ({
      title: 'A higher version was given out before',
      text:
        `Android does not replace version ${build.short_version} (${build.version}) with a lower one. If you have ` +
        'it, uninstall it first; its data is lost.',
    }),
    inAppBrowser: ({ platform }) => ({
      title: 'This page is open inside another app',
      text: `If nothing happens after the tap, open the link in ${platform === 'ios' ? 'Safari' : 'Chrome'}.`,
    }),
  },
  messages: {
    notFound: {
      title: 'Nothing to install here',
      text: 'This link does not exist, or its build was deleted. Ask the team for a new one.',
    },
    nothingYet: {
      title: 'Nothing to install yet',
      text: 'This address shows the newest build as soon as there is one. Come back later.',
    },
    linkExpired: { title: 'This link has expired', text: 'Ask the team that sent it to you for a new one.' },
    linkRevoked: { title: 'This link was withdrawn', text: 'Ask the team that sent it to you for a new one.' },
    buildRemoved: {
      title: 'This build was removed',
      text: 'A rule of the team removes old builds. Ask the team for a newer one.',
    },
    downloadExpired: {
      title: 'This page was open for too long',
      text: 'Open the install link once more; the download then starts from a fresh page.',
    },
    tooManyAttempts: { title: 'Too many attempts', text: 'Wait a quarter of an hour, then try again.' },
    badRequest: {
      title: 'This does not work',
      text: 'The request could not be answered. Open the install link once more.',
    },
    failed: { title: 'Something went wrong', text: 'The server could not answer. Try again in a moment.' },
  },
  passwordNeeded: 'This install link is protected by a password.',
  password: 'Password',
  continue: 'Continue',
  passwordWrong: 'That password is wrong.',
  reference: 'Reference',
}
