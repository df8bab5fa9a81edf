import type { Words } from './words.ts'

export const fr: Words = {
  version: (shortVersion, version) => `Version ${shortVersion} (${version})`,
  madeFor: { ios: 'iPhone et iPad', android: 'Android' },
  size: 'Taille',
  uploaded: 'Ajoutée le',
  expires: 'Lien valable jusqu’au',
  requires: 'Nécessite',
  orLater: (system) => `${system} ou ultérieur`,
  beforeYouInstall: 'Avant l’installation',
  notes: 'Nouveautés',
  install: 'Installer',
  installOnIpad: 'Installer sur cet iPad',
  onIpad: 'Est-ce un iPad\u00A0?',
  download: { ios: 'Télécharger l’IPA', android: 'Télécharger l’APK' },
  scan: 'Scannez ce code avec l’appareil photo du téléphone pour y installer l’app.',
  olderBuilds: 'Builds précédents',
  afterTap: {
    ios: 'Confirmez la question qui suit. L’app apparaît ensuite sur l’écran d’accueil.',
    android: 'Une fois le téléchargement terminé, ouvrez le fichier pour l’installer.',
  },
  help: 'Si l’installation échoue',
  helpWith: {
    ios: [
      'Rien ne semble se passer\u00A0? Regardez l’écran d’accueil\u00A0: l’icône y est, sombre tant que l’app ' +
        'n’est pas complète.',
      '«\u00A0Impossible d’installer\u00A0»\u00A0: votre appareil n’est peut-être pas enregistré pour ce build. ' +
        'Demandez à l’équipe de l’ajouter.',
      '«\u00A0Développeur non approuvé\u00A0»\u00A0: ouvrez Réglages › Général › VPN et gestion de l’appareil et ' +
        'approuvez le développeur.',
      'Si le mode développeur est demandé\u00A0: activez-le dans Réglages › Confidentialité et sécurité, puis ' +
        'redémarrez.',
    ],
    android: [
      'Si Android le demande, autorisez votre navigateur à installer des applis inconnues, puis revenez et ' +
        'rouvrez le fichier.',
      'Si Play Protect avertit, choisissez «\u00A0Plus de détails\u00A0», puis «\u00A0Installer quand ' +
        'même\u00A0», si vous faites confiance à l’expéditeur.',
      '«\u00A0Application non installée\u00A0»\u00A0: libérez de l’espace. Sinon, désinstallez la version ' +
        'présente\u00A0; ses données seront perdues.',
      'Rien ne semble se passer\u00A0? Ouvrez le fichier depuis les téléchargements du navigateur.',
    ],
  },
  obstacles: {
    wrongDevice: ({ platform }) =>
      platform === 'ios'
        ? {
            title: 'Ce build est destiné à l’iPhone et à l’iPad',
            text: 'Il ne peut pas être installé sur Android. Ouvrez ce lien sur un iPhone ou un iPad.',
          }
        : {
            title: 'Ce build est destiné à Android',
            text: 'Il ne peut pas être installé sur un iPhone ou un iPad. Ouvrez ce lien sur un appareil Android.',
          },
    otherFamily: ({ devices }) => ({
      title: `Ce build est destiné à ${devices}`,
      text: 'Il ne peut pas être installé sur cet appareil.',
    }),
    partOfApp: () => ({
      title: 'Une partie de l’app seulement',
      text: 'Android ne l’installe pas sans les autres parties. Demandez à l’équipe un APK qui contient toute l’app.',
    }),
    testOnly: () => ({
      title: 'Fait pour des tests par câble',
      text:
        'Android n’installe ce build que depuis l’ordinateur d’un développeur. Demandez à l’équipe un build qui ne ' +
        'soit pas marqué «\u00A0test only\u00A0».',
    }),
    simulatorOnly: () => ({
      title: 'Compilé pour le simulateur',
      text: 'Aucun appareil n’exécute ce build. Demandez à l’équipe un build compilé pour les appareils.',
    }),
    unreachableServer: () => ({
      title: 'Les téléphones ne peuvent pas joindre ce serveur',
      text: 'Son adresse n’est connue que de cet ordinateur. L’administrateur doit définir l’URL publique.',
    }),
    insecureServer: () => ({
      title: 'iOS n’installe que par HTTPS',
      text: 'L’adresse de ce serveur ne commence pas par https. L’administrateur doit y remédier.',
    }),
    notSigned: ({ platform }) => ({
      title: 'Ce build n’est pas signé',
      text:
        `${platform === 'ios' ? 'iOS' : 'Android'} refuse les apps sans signature. Demandez un build signé à ` +
        'l’équipe.',
    }),
    brokenSignature: () => ({
      title: 'La signature est altérée',
      text:
        'Le fichier a été modifié après sa signature, Android le refuse donc. ' +
        'Demandez un nouveau build à l’équipe.',
    }),
    oldSignature: () => ({
      title: 'Signé à l’ancienne seulement',
      text: 'Android 11 et ultérieur refusent ce build\u00A0: il lui manque une signature de schéma v2 ou ultérieur.',
    }),
    profileExpired: ({ date }, formatDate) => ({
      title: 'Le profil d’approvisionnement a expiré',
      text: `Il a pris fin le ${formatDate(date)}. iOS n’installera pas ce build et ne l’ouvrira pas.`,
    }),
    appStoreOnly: () => ({
      title: 'Ce build est destiné à l’App Store',
      text: 'Il est signé pour l’App Store et TestFlight et ne peut pas être installé depuis un lien.',
    }),
    registeredDevicesOnly: ({ count }) => ({
      title: 'Réservé aux appareils enregistrés',
      text:
        (count === null
          ? ''
          : count === 1
            ? 'Le build autorise 1 appareil. '
            : `Le build autorise ${count} appareils. `) + 'Si le vôtre n’en fait pas partie, l’installation échoue.',
    }),
    systemTooOld: ({ needed, has }) => ({
      title: `Ce build nécessite ${needed}`,
      text: `Votre appareil utilise ${has}. Mettez-le à jour ou prenez un appareil plus récent.`,
    }),
    targetTooOld: ({ since, madeFor }) => ({
      title: 'Conçu pour un très ancien Android',
      text: `Android ${since} et ultérieur refusent les apps conçues pour Android ${madeFor} ou antérieur.`,
    }),
    otherSigner: ({ build, isDebug }) => ({
      title: isDebug ? 'Signé avec une clé de débogage' : 'Signé avec une autre clé',
      text:
        `La version ${build.short_version} (${build.version}) a une autre signature. Si vous l’avez, ` +
        'désinstallez-la d’abord\u00A0; ses données seront perdues.',
    }),
    deviceNotInProfile: () => ({
      title: 'Votre appareil n’est pas encore dans ce build',
      text: 'Aucun de vos appareils enregistrés n’est dans le profil de ce build. Demandez-en un qui le contient.',
    }),
    higherInstalled: ({ build }) => ({
      title: 'Une version supérieure a déjà été distribuée',
      text:
        `Android ne remplace pas la version ${build.short_version} (${build.version}) par une version inférieure. ` +
        'Si vous l’avez, désinstallez-la d’abord\u00A0; ses données seront perdues.',
    }),
    inAppBrowser: ({ platform }) => ({
      title: 'Cette page est ouverte dans une autre app',
      text: `Si rien ne se passe, ouvrez le lien dans ${platform === 'ios' ? 'Safari' : 'Chrome'}.`,
    }),
  },
  messages: {
    addressWorks: {
      title: 'Cet appareil atteint Fairlead',
      text: 'La page où vous avez lancé la vérification l’affichera dans un instant. Vous pouvez fermer celle-ci.',
    },
    notFound: {
      title: 'Rien à installer ici',
      text: 'Ce lien n’existe pas, ou son build a été supprimé. Demandez-en un nouveau à l’équipe.',
    },
    pageNotFound: {
      title: 'Cette page n’existe pas',
      text: 'Son adresse est incomplète ou a été remplacée. Ouvrez l’e-mail le plus récent ou demandez à l’équipe.',
    },
    nothingYet: {
      title: 'Rien à installer pour l’instant',
      text: 'Cette adresse montre le build le plus récent dès qu’il y en a un. Revenez plus tard.',
    },
    linkExpired: { title: 'Ce lien a expiré', text: 'Demandez-en un nouveau à l’équipe qui vous l’a envoyé.' },
    linkRevoked: { title: 'Ce lien a été retiré', text: 'Demandez-en un nouveau à l’équipe qui vous l’a envoyé.' },
    buildRemoved: {
      title: 'Ce build a été supprimé',
      text: 'Une règle de l’équipe supprime les anciens builds. Demandez-en un plus récent à l’équipe.',
    },
    downloadExpired: {
      title: 'Cette page est restée ouverte trop longtemps',
      text: 'Ouvrez de nouveau le lien d’installation\u00A0; le téléchargement partira de la nouvelle page.',
    },
    tooManyAttempts: { title: 'Trop de tentatives', text: 'Attendez un quart d’heure, puis réessayez.' },
    tooMuchFeedback: {
      title: 'Trop de commentaires pour l’instant',
      text: 'Revenez en arrière, votre texte y est encore, et réessayez dans une heure.',
    },
    feedbackOff: { title: 'Pas de commentaires ici', text: 'L’équipe n’en accepte pas par ce lien.' },
    badRequest: {
      title: 'Cela ne fonctionne pas',
      text: 'La demande n’a pas pu aboutir. Ouvrez de nouveau le lien d’installation.',
    },
    failed: { title: 'Une erreur s’est produite', text: 'Le serveur n’a pas pu répondre. Réessayez dans un instant.' },
  },
  feedback: {
    send: 'Envoyer un commentaire',
    text: 'Qu’avez-vous remarqué\u00A0?',
    pictures: 'Images (facultatif)',
    picturesHint: 'Trois fichiers PNG, JPEG ou WebP au plus. Le lieu et la date de prise de vue sont supprimés.',
    contact: 'Comment vous joindre\u00A0? (facultatif)',
    submit: 'Envoyer',
    thanks: { title: 'Merci', text: 'Votre commentaire est bien parvenu à l’équipe.' },
    back: 'Retour à l’app',
    textFault: 'Écrivez quelque chose, 5\u00A0000 caractères au plus.',
    contactFault: 'Le contact peut avoir 200 caractères au plus.',
    pictureFault: (place) => `L’image ${place} n’est pas acceptée. Choisissez-la en PNG, JPEG ou WebP, ou retirez-la.`,
    tooManyPictures: 'Choisissez trois images au plus.',
    tooLarge: 'Les images sont trop volumineuses\u00A0: 10\u00A0Mo chacune et 25\u00A0Mo en tout.',
  },
  devices: {
    title: 'Vos appareils',
    add: 'Ajouter cet iPhone ou iPad',
    why: (team) =>
      'Les builds de test ne fonctionnent que sur les appareils enregistrés par l’équipe. Les développeurs et ' +
      `administrateurs de ${team} verront l’identifiant (UDID), le modèle et la version du système, et ` +
      'personne d’autre. Vous pouvez le supprimer ici à tout moment.',
    steps:
      'Autorisez le profil, ouvrez Réglages, touchez «\u00A0Profil téléchargé\u00A0» et installez-le. ' +
      'Cette page s’ouvre ensuite de nouveau.',
    remove: 'Supprimer',
    profile: {
      title: 'Envoyer l’identifiant de cet appareil',
      text: 'Envoie une fois l’identifiant, le modèle et la version du système, puis est supprimé.',
    },
  },
  passwordNeeded: 'Ce lien d’installation est protégé par un mot de passe.',
  password: 'Mot de passe',
  continue: 'Continuer',
  passwordWrong: 'Le mot de passe est incorrect.',
  reference: 'Référence',
  testerPage: {
    allBuilds: 'Tous vos builds',
    title: 'Vos builds de test',
    of: (address) => `Pour ${address}`,
    keepPrivate: 'Quiconque a l’adresse de cette page peut l’ouvrir\u00A0: ne la transmettez pas.',
    nothing: 'Il n’y a pas de build pour vous en ce moment.',
    allApps: 'Toutes les apps',
    installed: 'Installé',
    open: 'Ouvrir',
    needsPassword: 'Demande un mot de passe',
    cutAfter: (count) => `Voici les ${count} builds les plus récents.`,
    mails: 'E-mails',
    mailsOn: (workspace, address) => `${workspace} annonce les nouveaux builds à ${address}.`,
    mailsOff: (workspace, address) => `${workspace} n’envoie pas d’e-mails sur les builds à ${address}.`,
    turnOff: 'Ne plus recevoir ces e-mails',
    turnOn: 'Recevoir de nouveau ces e-mails',
  },
}
