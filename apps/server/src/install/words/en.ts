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
    deviceNotInProfile: () => ({
      title: 'Your device is not in this build yet',
      text: 'None of your registered devices is in the profile of this build. Ask the team for a build that has it.',
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
    addressWorks: {
      title: 'This device reaches Fairlead',
      text: 'The page where you started the check shows it in a moment. You can close this one.',
    },
    notFound: {
      title: 'Nothing to install here',
      text: 'This link does not exist, or its build was deleted. Ask the team for a new one.',
    },
    pageNotFound: {
      title: 'This page does not exist',
      text: 'Its address is incomplete, or was replaced by a new one. Use the newest mail, or ask the team.',
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
    tooMuchFeedback: {
      title: 'Too much feedback for now',
      text: 'Go back, where your text still is, and try again in an hour.',
    },
    feedbackOff: { title: 'No feedback here', text: 'The team takes no feedback by this link.' },
    badRequest: {
      title: 'This does not work',
      text: 'The request could not be answered. Open the install link once more.',
    },
    failed: { title: 'Something went wrong', text: 'The server could not answer. Try again in a moment.' },
  },
  feedback: {
    send: 'Send feedback',
    text: 'What did you notice?',
    pictures: 'Pictures (optional)',
    picturesHint: 'Up to three PNG, JPEG or WebP files. Where and when they were taken is removed.',
    contact: 'How can we reach you? (optional)',
    submit: 'Send',
    thanks: { title: 'Thank you', text: 'Your feedback has reached the team.' },
    back: 'Back to the app',
    textFault: 'Write something, 5,000 characters at most.',
    contactFault: 'The contact may have 200 characters at most.',
    pictureFault: (place) => `Picture ${place} cannot be taken. Choose it as PNG, JPEG or WebP, or leave it out.`,
    tooManyPictures: 'Choose three pictures at most.',
    tooLarge: 'The pictures are too large: 10 MB each and 25 MB in all.',
  },
  devices: {
    title: 'Your devices',
    add: 'Add this iPhone or iPad',
    why: (team) =>
      'Test builds only run on devices that the team has registered. Developers and administrators of ' +
      `${team} will see ` +
      'the ID (UDID), model and system version of this device, and nobody else. You can delete it here at any time.',
    steps: 'Allow the profile, open Settings, tap “Profile Downloaded” and install it. This page then opens again.',
    remove: 'Delete',
    profile: {
      title: 'Send the ID of this device',
      text: 'Sends the ID, model and system version once, and is removed.',
    },
  },
  passwordNeeded: 'This install link is protected by a password.',
  password: 'Password',
  continue: 'Continue',
  passwordWrong: 'That password is wrong.',
  reference: 'Reference',
  testerPage: {
    allBuilds: 'All your builds',
    title: 'Your test builds',
    of: (address) => `For ${address}`,
    keepPrivate: 'Whoever has the address of this page can open it, so do not pass it on.',
    nothing: 'There is no build for you at the moment.',
    allApps: 'All apps',
    installed: 'Installed',
    open: 'Open',
    needsPassword: 'Needs a password',
    cutAfter: (count) => `These are the newest ${count} builds.`,
    mails: 'Mails',
    mailsOn: (workspace, address) => `${workspace} tells ${address} about new builds.`,
    mailsOff: (workspace, address) => `${workspace} sends no mails about builds to ${address}.`,
    turnOff: 'Stop these mails',
    turnOn: 'Send these mails again',
  },
}
