import type { Words } from './words.ts'

export const es: Words = {
  version: (shortVersion, version) => `Versión ${shortVersion} (${version})`,
  madeFor: { ios: 'iPhone y iPad', android: 'Android' },
  size: 'Tamaño',
  uploaded: 'Subida',
  expires: 'Enlace válido hasta',
  requires: 'Requiere',
  orLater: (system) => `${system} o posterior`,
  beforeYouInstall: 'Antes de instalar',
  notes: 'Novedades',
  install: 'Instalar',
  installOnIpad: 'Instalar en este iPad',
  onIpad: '¿Es esto un iPad?',
  download: { ios: 'Descargar IPA', android: 'Descargar APK' },
  scan: 'Escanea este código con la cámara del teléfono para instalar la app en él.',
  olderBuilds: 'Compilaciones anteriores',
  afterTap: {
    ios: 'Confirma la pregunta que aparece. La app se muestra después en la pantalla de inicio.',
    android: 'Cuando termine la descarga, abre el archivo para instalarlo.',
  },
  help: 'Si la instalación falla',
  helpWith: {
    ios: [
      '¿Parece que no ocurre nada? Mira la pantalla de inicio: el icono está ahí, oscuro hasta que la app esté ' +
        'completa.',
      '«No se puede instalar»: puede que tu dispositivo no esté registrado para esta compilación. Pide al equipo ' +
        'que lo añada.',
      '«Desarrollador no fiable»: abre Ajustes › General › VPN y gestión de dispositivos y confía en el desarrollador.',
      'Si se pide el modo de desarrollador: actívalo en Ajustes › Privacidad y seguridad y reinicia.',
    ],
    android: [
      'Si Android lo pregunta, permite que el navegador instale apps desconocidas; después vuelve y abre el ' +
        'archivo otra vez.',
      'Si Play Protect avisa, elige «Más detalles» y «Instalar de todos modos», siempre que confíes en el remitente.',
      '«No se ha instalado la aplicación»: libera espacio. Si no ayuda, desinstala la versión que tienes; sus ' +
        'datos se pierden.',
      '¿Parece que no ocurre nada? Abre el archivo desde las descargas del navegador.',
    ],
  },
  obstacles: {
    wrongDevice: ({ platform }) =>
      platform === 'ios'
        ? {
            title: 'Esta compilación es para iPhone y iPad',
            text: 'No se puede instalar en Android. Abre este enlace en un iPhone o iPad.',
          }
        : {
            title: 'Esta compilación es para Android',
            text: 'No se puede instalar en un iPhone o iPad. Abre este enlace en un dispositivo Android.',
          },
    otherFamily: ({ devices }) => ({
      title: `Esta compilación es para ${devices}`,
      text: 'No se puede instalar en este dispositivo.',
    }),
    partOfApp: () => ({
      title: 'Solo una parte de la app',
      text: 'Android no la instala sin las demás partes. Pide al equipo un APK que contenga la app completa.',
    }),
    testOnly: () => ({
      title: 'Hecha para pruebas por cable',
      text:
        'Android instala esta compilación solo desde el ordenador de un desarrollador. Pide al equipo una que no ' +
        'esté marcada como «test only».',
    }),
    simulatorOnly: () => ({
      title: 'Compilada para el simulador',
      text: 'Ningún dispositivo ejecuta esta compilación. Pide al equipo una compilada para dispositivos.',
    }),
    unreachableServer: () => ({
      title: 'Los teléfonos no llegan a este servidor',
      text: 'Su dirección solo la conoce este ordenador. El administrador debe configurar la URL pública.',
    }),
    insecureServer: () => ({
      title: 'iOS solo instala por HTTPS',
      text: 'La dirección de este servidor no empieza por https. El administrador debe cambiarlo.',
    }),
    notSigned: ({ platform }) => ({
      title: 'Esta compilación no está firmada',
      text:
        `${platform === 'ios' ? 'iOS' : 'Android'} rechaza las apps sin firma. Pide al equipo una compilación ` +
        'firmada.',
    }),
    brokenSignature: () => ({
      title: 'La firma está dañada',
      text:
        'El archivo cambió después de firmarse, por lo que Android lo rechaza. Pide al equipo una compilación ' +
        'nueva.',
    }),
    oldSignature: () => ({
      title: 'Firmada solo a la manera antigua',
      text: 'Android 11 y posteriores rechazan esta compilación: le falta una firma de esquema v2 o posterior.',
    }),
    profileExpired: ({ date }, formatDate) => ({
      title: 'El perfil de aprovisionamiento ha caducado',
      text: `Terminó el ${formatDate(date)}. iOS no instalará ni abrirá esta compilación.`,
    }),
    appStoreOnly: () => ({
      title: 'Esta compilación es para la App Store',
      text: 'Está firmada para la App Store y TestFlight, y no se puede instalar desde un enlace.',
    }),
    registeredDevicesOnly: ({ count }) => ({
      title: 'Solo para dispositivos registrados',
      text:
        (count === null
          ? ''
          : count === 1
            ? 'La compilación admite 1 dispositivo. '
            : `La compilación admite ${count} dispositivos. `) +
        'Si el tuyo no está entre ellos, la instalación falla.',
    }),
    systemTooOld: ({ needed, has }) => ({
      title: `Esta compilación requiere ${needed}`,
      text: `Tu dispositivo tiene ${has}. Actualízalo o usa uno más reciente.`,
    }),
    targetTooOld: ({ since, madeFor }) => ({
      title: 'Hecha para un Android muy antiguo',
      text: `Android ${since} y posteriores rechazan las apps hechas para Android ${madeFor} o anterior.`,
    }),
    otherSigner: ({ build, isDebug }) => ({
      title: isDebug ? 'Firmada con una clave de depuración' : 'Firmada con otra clave',
      text:
        `La versión ${build.short_version} (${build.version}) tiene otra firma. Si la tienes, desinstálala antes; ` +
        'sus datos se pierden.',
    }),
    deviceNotInProfile: () => ({
      title: 'Tu dispositivo aún no está en este build',
      text: 'Ninguno de tus dispositivos registrados está en el perfil de este build. Pide uno que lo incluya.',
    }),
    higherInstalled: ({ build }) => ({
      title: 'Ya se distribuyó una versión superior',
      text:
        `Android no sustituye la versión ${build.short_version} (${build.version}) por una inferior. Si la tienes, ` +
        'desinstálala antes; sus datos se pierden.',
    }),
    inAppBrowser: ({ platform }) => ({
      title: 'Esta página está abierta dentro de otra app',
      text: `Si no ocurre nada al tocar, abre el enlace en ${platform === 'ios' ? 'Safari' : 'Chrome'}.`,
    }),
  },
  messages: {
    addressWorks: {
      title: 'Este dispositivo llega a Fairlead',
      text: 'La página en la que empezó la comprobación lo mostrará enseguida. Puede cerrar esta.',
    },
    notFound: {
      title: 'Aquí no hay nada que instalar',
      text: 'Este enlace no existe o su compilación se eliminó. Pide uno nuevo al equipo.',
    },
    pageNotFound: {
      title: 'Esta página no existe',
      text: 'Su dirección está incompleta o se ha sustituido. Abre el correo más reciente o pregunta al equipo.',
    },
    nothingYet: {
      title: 'Todavía no hay nada que instalar',
      text: 'Esta dirección muestra la compilación más reciente en cuanto exista. Vuelve más tarde.',
    },
    linkExpired: { title: 'Este enlace ha caducado', text: 'Pide uno nuevo al equipo que te lo envió.' },
    linkRevoked: { title: 'Este enlace se ha retirado', text: 'Pide uno nuevo al equipo que te lo envió.' },
    buildRemoved: {
      title: 'Esta compilación se eliminó',
      text: 'Una regla del equipo elimina las compilaciones antiguas. Pide una más reciente al equipo.',
    },
    downloadExpired: {
      title: 'Esta página estuvo abierta demasiado tiempo',
      text: 'Abre otra vez el enlace de instalación; la descarga empezará desde la página nueva.',
    },
    tooManyAttempts: { title: 'Demasiados intentos', text: 'Espera un cuarto de hora e inténtalo de nuevo.' },
    tooMuchFeedback: {
      title: 'Demasiados comentarios por ahora',
      text: 'Vuelve atrás, donde sigue tu texto, e inténtalo de nuevo dentro de una hora.',
    },
    feedbackOff: { title: 'Aquí no hay comentarios', text: 'El equipo no acepta comentarios por este enlace.' },
    badRequest: {
      title: 'Esto no funciona',
      text: 'No se pudo responder a la petición. Abre otra vez el enlace de instalación.',
    },
    failed: { title: 'Algo ha ido mal', text: 'El servidor no pudo responder. Inténtalo de nuevo en un momento.' },
  },
  feedback: {
    send: 'Enviar comentarios',
    text: '¿Qué has notado?',
    pictures: 'Imágenes (opcional)',
    picturesHint: 'Hasta tres archivos PNG, JPEG o WebP. Se eliminan el lugar y la fecha en que se tomaron.',
    contact: '¿Cómo podemos contactarte? (opcional)',
    submit: 'Enviar',
    thanks: { title: 'Gracias', text: 'Tus comentarios han llegado al equipo.' },
    back: 'Volver a la app',
    textFault: 'Escribe algo, con un máximo de 5000 caracteres.',
    contactFault: 'El contacto puede tener 200 caracteres como máximo.',
    pictureFault: (place) => `La imagen ${place} no se acepta. Elígela como PNG, JPEG o WebP, o quítala.`,
    tooManyPictures: 'Elige tres imágenes como máximo.',
    tooLarge: 'Las imágenes son demasiado grandes: 10 MB cada una y 25 MB en total.',
  },
  devices: {
    title: 'Tus dispositivos',
    add: 'Añadir este iPhone o iPad',
    why: (team) =>
      'Los builds de prueba solo funcionan en dispositivos registrados por el equipo. Los desarrolladores y ' +
      `administradores de ${team} verán el identificador (UDID), el modelo y la versión del sistema de este ` +
      'dispositivo, y nadie más. Puedes eliminarlo aquí en cualquier momento.',
    steps:
      'Permite el perfil, abre Ajustes, toca «Perfil descargado» e instálalo. Después se abre de nuevo esta página.',
    remove: 'Eliminar',
    profile: {
      title: 'Enviar el identificador de este dispositivo',
      text: 'Envía una vez el identificador, el modelo y la versión del sistema, y se elimina.',
    },
  },
  passwordNeeded: 'Este enlace de instalación está protegido con una contraseña.',
  password: 'Contraseña',
  continue: 'Continuar',
  passwordWrong: 'La contraseña no es correcta.',
  reference: 'Referencia',
  testerPage: {
    allBuilds: 'Todas tus compilaciones',
    title: 'Tus compilaciones de prueba',
    of: (address) => `Para ${address}`,
    keepPrivate: 'Quien tenga la dirección de esta página puede abrirla; no la compartas.',
    nothing: 'Ahora mismo no hay ninguna compilación para ti.',
    allApps: 'Todas las apps',
    installed: 'Instalada',
    open: 'Abrir',
    needsPassword: 'Pide una contraseña',
    cutAfter: (count) => `Estas son las ${count} compilaciones más recientes.`,
    mails: 'Correos',
    mailsOn: (workspace, address) => `${workspace} avisa de nuevas compilaciones a ${address}.`,
    mailsOff: (workspace, address) => `${workspace} no envía correos sobre compilaciones a ${address}.`,
    turnOff: 'Dejar de recibir estos correos',
    turnOn: 'Volver a recibir estos correos',
  },
}
