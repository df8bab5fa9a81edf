import type { Words } from './words.ts'

export const de: Words = {
  version: (shortVersion, version) => `Version ${shortVersion} (${version})`,
  madeFor: { ios: 'iPhone und iPad', android: 'Android' },
  size: 'Größe',
  uploaded: 'Hochgeladen',
  expires: 'Link gültig bis',
  requires: 'Erfordert',
  orLater: (system) => `${system} oder neuer`,
  beforeYouInstall: 'Vor der Installation',
  notes: 'Neu in dieser Version',
  install: 'Installieren',
  installOnIpad: 'Auf diesem iPad installieren',
  onIpad: 'Ist das ein iPad?',
  download: { ios: 'IPA herunterladen', android: 'APK herunterladen' },
  scan: 'Zum Installieren diesen Code mit der Kamera des Telefons scannen.',
  olderBuilds: 'Frühere Builds',
  afterTap: {
    ios: 'Bestätige die folgende Frage. Die App erscheint dann auf dem Home-Bildschirm.',
    android: 'Öffne die Datei, sobald sie heruntergeladen ist, um sie zu installieren.',
  },
  help: 'Wenn die Installation fehlschlägt',
  helpWith: {
    ios: [
      'Es passiert scheinbar nichts? Sieh auf dem Home-Bildschirm nach: Das Symbol ist dort und dunkel, bis die ' +
        'App vollständig ist.',
      '„Installation nicht möglich“: Dein Gerät ist vielleicht nicht für diesen Build registriert. Bitte das ' +
        'Team, es hinzuzufügen.',
      '„Nicht vertrauenswürdiger Entwickler“: Öffne Einstellungen › Allgemein › VPN und Geräteverwaltung und ' +
        'vertraue dem Entwickler.',
      'Wenn der Entwicklermodus verlangt wird: Schalte ihn unter Einstellungen › Datenschutz & Sicherheit ein ' +
        'und starte neu.',
    ],
    android: [
      'Wenn Android fragt, erlaube deinem Browser, unbekannte Apps zu installieren, geh zurück und öffne die ' +
        'Datei noch einmal.',
      'Wenn Play Protect warnt, wähle „Weitere Details“, dann „Trotzdem installieren“ – sofern du dem Absender ' +
        'vertraust.',
      '„App nicht installiert“: Schaffe Platz. Hilft das nicht, deinstalliere die vorhandene Version; ihre Daten ' +
        'gehen verloren.',
      'Es passiert scheinbar nichts? Öffne die Datei aus den Downloads deines Browsers.',
    ],
  },
  obstacles: {
    wrongDevice: ({ platform }) =>
      platform === 'ios'
        ? {
            title: 'Dieser Build ist für iPhone und iPad',
            text: 'Auf Android lässt er sich nicht installieren. Öffne diesen Link auf einem iPhone oder iPad.',
          }
        : {
            title: 'Dieser Build ist für Android',
            text: 'Auf iPhone oder iPad lässt er sich nicht installieren. Öffne diesen Link auf einem Android-Gerät.',
          },
    otherFamily: ({ devices }) => ({
      title: `Dieser Build ist für ${devices}`,
      text: 'Auf diesem Gerät lässt er sich nicht installieren.',
    }),
    partOfApp: () => ({
      title: 'Nur ein Teil der App',
      text:
        'Ohne die übrigen Teile installiert Android sie nicht. Bitte das Team um ein APK, das die ganze App ' +
        'enthält.',
    }),
    testOnly: () => ({
      title: 'Für Tests am Kabel gemacht',
      text:
        'Android installiert diesen Build nur vom Rechner eines Entwicklers. Bitte das Team um einen, der nicht ' +
        'als „test only“ markiert ist.',
    }),
    simulatorOnly: () => ({
      title: 'Für den Simulator gebaut',
      text: 'Auf keinem Gerät läuft dieser Build. Bitte das Team um einen, der für Geräte gebaut ist.',
    }),
    unreachableServer: () => ({
      title: 'Telefone erreichen diesen Server nicht',
      text: 'Seine Adresse kennt nur dieser Rechner. Die Administration muss die öffentliche Basis-URL einstellen.',
    }),
    insecureServer: () => ({
      title: 'iOS installiert nur über HTTPS',
      text: 'Die Adresse dieses Servers beginnt nicht mit https. Die Administration muss das ändern.',
    }),
    notSigned: ({ platform }) => ({
      title: 'Dieser Build ist nicht signiert',
      text:
        `${platform === 'ios' ? 'iOS' : 'Android'} lehnt Apps ohne Signatur ab. Bitte das Team um einen signierten ` +
        'Build.',
    }),
    brokenSignature: () => ({
      title: 'Die Signatur ist beschädigt',
      text:
        'Die Datei wurde nach dem Signieren verändert, deshalb lehnt Android sie ab. Bitte das Team um einen neuen ' +
        'Build.',
    }),
    oldSignature: () => ({
      title: 'Nur auf die alte Art signiert',
      text: 'Android 11 und neuer lehnen diesen Build ab: Ihm fehlt eine Signatur nach Schema v2 oder neuer.',
    }),
    profileExpired: ({ date }, formatDate) => ({
      title: 'Das Bereitstellungsprofil ist abgelaufen',
      text: `Es endete am ${formatDate(date)}. iOS wird diesen Build weder installieren noch öffnen.`,
    }),
    appStoreOnly: () => ({
      title: 'Dieser Build ist für den App Store',
      text: 'Er ist für den App Store und TestFlight signiert und lässt sich nicht über einen Link installieren.',
    }),
    registeredDevicesOnly: ({ count }) => ({
      title: 'Nur für registrierte Geräte',
      text:
        (count === null ? '' : count === 1 ? 'Der Build erlaubt 1 Gerät. ' : `Der Build erlaubt ${count} Geräte. `) +
        'Gehört deines nicht dazu, schlägt die Installation fehl.',
    }),
    systemTooOld: ({ needed, has }) => ({
      title: `Dieser Build erfordert ${needed}`,
      text: `Auf deinem Gerät läuft ${has}. Aktualisiere es oder nimm ein neueres Gerät.`,
    }),
    targetTooOld: ({ since, madeFor }) => ({
      title: 'Für ein sehr altes Android gemacht',
      text: `Android ${since} und neuer lehnen Apps ab, die für Android ${madeFor} oder älter gemacht sind.`,
    }),
    otherSigner: ({ build, isDebug }) => ({
      title: isDebug ? 'Mit einem Debug-Schlüssel signiert' : 'Mit einem anderen Schlüssel signiert',
      text:
        `Version ${build.short_version} (${build.version}) ist anders signiert. Hast du sie, deinstalliere sie ` +
        'zuerst; ihre Daten gehen verloren.',
    }),
    deviceNotInProfile: () => ({
      title: 'Dein Gerät ist noch nicht in diesem Build',
      text: 'Keines deiner registrierten Geräte steht im Profil dieses Builds. Bitte das Team um einen Build damit.',
    }),
    higherInstalled: ({ build }) => ({
      title: 'Eine höhere Version wurde schon verteilt',
      text:
        `Android ersetzt Version ${build.short_version} (${build.version}) nicht durch eine niedrigere. Hast du ` +
        'sie, deinstalliere sie zuerst; ihre Daten gehen verloren.',
    }),
    inAppBrowser: ({ platform }) => ({
      title: 'Diese Seite ist in einer anderen App geöffnet',
      text: `Passiert nach dem Tippen nichts, öffne den Link in ${platform === 'ios' ? 'Safari' : 'Chrome'}.`,
    }),
  },
  messages: {
    addressWorks: {
      title: 'Dieses Gerät erreicht Fairlead',
      text: 'Die Seite, auf der Sie die Prüfung begonnen haben, zeigt es gleich an. Diese hier können Sie schließen.',
    },
    notFound: {
      title: 'Hier gibt es nichts zu installieren',
      text: 'Diesen Link gibt es nicht, oder sein Build wurde gelöscht. Bitte das Team um einen neuen.',
    },
    pageNotFound: {
      title: 'Diese Seite gibt es nicht',
      text: 'Ihre Adresse ist unvollständig oder wurde ersetzt. Nimm die neueste Mail oder frag das Team.',
    },
    nothingYet: {
      title: 'Noch nichts zu installieren',
      text: 'Diese Adresse zeigt den neuesten Build, sobald es einen gibt. Schau später wieder vorbei.',
    },
    linkExpired: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Bitte das Team, das ihn geschickt hat, um einen neuen.',
    },
    linkRevoked: {
      title: 'Dieser Link wurde zurückgezogen',
      text: 'Bitte das Team, das ihn geschickt hat, um einen neuen.',
    },
    buildRemoved: {
      title: 'Dieser Build wurde entfernt',
      text: 'Eine Regel des Teams entfernt alte Builds. Bitte das Team um einen neueren.',
    },
    downloadExpired: {
      title: 'Diese Seite war zu lange offen',
      text: 'Öffne den Installationslink noch einmal; von der frischen Seite startet der Download.',
    },
    tooManyAttempts: { title: 'Zu viele Versuche', text: 'Warte eine Viertelstunde und versuche es dann noch einmal.' },
    tooMuchFeedback: {
      title: 'Gerade zu viel Feedback',
      text: 'Geh zurück, dein Text ist dort noch, und versuch es in einer Stunde noch einmal.',
    },
    feedbackOff: { title: 'Hier kein Feedback', text: 'Das Team nimmt über diesen Link kein Feedback an.' },
    badRequest: {
      title: 'Das geht so nicht',
      text: 'Die Anfrage ließ sich nicht beantworten. Öffne den Installationslink noch einmal.',
    },
    failed: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Server konnte nicht antworten. Versuche es gleich noch einmal.',
    },
  },
  feedback: {
    send: 'Feedback senden',
    text: 'Was ist dir aufgefallen?',
    pictures: 'Bilder (optional)',
    picturesHint: 'Bis zu drei Dateien, PNG, JPEG oder WebP. Ort und Zeit der Aufnahme werden entfernt.',
    contact: 'Wie erreichen wir dich? (optional)',
    submit: 'Senden',
    thanks: { title: 'Danke', text: 'Dein Feedback ist beim Team angekommen.' },
    back: 'Zurück zur App',
    textFault: 'Schreib etwas, höchstens 5.000 Zeichen.',
    contactFault: 'Der Kontakt darf höchstens 200 Zeichen haben.',
    pictureFault: (place) => `Bild ${place} wird nicht angenommen. Wähle es als PNG, JPEG oder WebP oder lass es weg.`,
    tooManyPictures: 'Wähle höchstens drei Bilder.',
    tooLarge: 'Die Bilder sind zu groß: höchstens 10 MB je Bild und 25 MB zusammen.',
  },
  devices: {
    title: 'Deine Geräte',
    add: 'Dieses iPhone oder iPad hinzufügen',
    why: (team) =>
      'Testbuilds laufen nur auf Geräten, die das Team registriert hat. Entwickler und Administratoren von ' +
      `${team} sehen die ID (UDID), das Modell und die Systemversion dieses Geräts, sonst niemand. Du kannst es hier ` +
      'jederzeit löschen.',
    steps:
      'Erlaube das Profil, öffne „Einstellungen“, tippe auf „Profil geladen“ und installiere es. Danach öffnet sich ' +
      'diese Seite wieder.',
    remove: 'Löschen',
    profile: {
      title: 'ID dieses Geräts senden',
      text: 'Sendet einmal ID, Modell und Systemversion und wird dann entfernt.',
    },
  },
  passwordNeeded: 'Dieser Installationslink ist durch ein Passwort geschützt.',
  password: 'Passwort',
  continue: 'Weiter',
  passwordWrong: 'Das Passwort ist falsch.',
  reference: 'Referenz',
  testerPage: {
    allBuilds: 'Alle deine Builds',
    title: 'Deine Test-Builds',
    of: (address) => `Für ${address}`,
    keepPrivate: 'Wer die Adresse dieser Seite hat, kann sie öffnen. Gib sie nicht weiter.',
    nothing: 'Im Moment gibt es keinen Build für dich.',
    allApps: 'Alle Apps',
    installed: 'Installiert',
    open: 'Öffnen',
    needsPassword: 'Verlangt ein Passwort',
    cutAfter: (count) => `Das sind die neuesten ${count} Builds.`,
    mails: 'Mails',
    mailsOn: (workspace, address) => `${workspace} meldet neue Builds an ${address}.`,
    mailsOff: (workspace, address) => `${workspace} schickt keine Mails über Builds an ${address}.`,
    turnOff: 'Diese Mails abbestellen',
    turnOn: 'Diese Mails wieder bekommen',
  },
}
