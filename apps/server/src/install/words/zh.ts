import type { Words } from './words.ts'

export const zh: Words = {
  version: (shortVersion, version) => `版本 ${shortVersion} (${version})`,
  madeFor: { ios: 'iPhone 和 iPad', android: 'Android' },
  size: '大小',
  uploaded: '上传日期',
  expires: '链接有效期至',
  requires: '系统要求',
  orLater: (system) => `${system} 或更高版本`,
  beforeYouInstall: '安装之前',
  notes: '更新内容',
  install: '安装',
  installOnIpad: '安装到此 iPad',
  onIpad: '正在使用 iPad？',
  download: { ios: '下载 IPA', android: '下载 APK' },
  scan: '用手机相机扫描此二维码，即可在手机上安装。',
  olderBuilds: '更早的构建',
  afterTap: {
    ios: '确认随后的提示，应用就会出现在主屏幕上。',
    android: '下载完成后，打开文件即可安装。',
  },
  help: '如果安装失败',
  helpWith: {
    ios: [
      '好像没有反应？请查看主屏幕：图标已在那里，在应用下载完成之前为暗色。',
      '“无法安装”：您的设备可能未为此构建注册。请联系团队添加。',
      '“未受信任的开发者”：请打开“设置”›“通用”›“VPN 与设备管理”，信任该开发者。',
      '如果要求开启开发者模式：请在“设置”›“隐私与安全性”中打开，然后重新启动。',
    ],
    android: [
      '如果系统询问，请允许浏览器安装未知应用，然后返回并再次打开文件。',
      '如果 Play 保护机制发出警告，在您信任发送者的前提下，选择“更多详情”，再选择“仍要安装”。',
      '“未安装应用”：请释放一些空间。如果仍然失败，请卸载现有版本；其数据将丢失。',
      '好像没有反应？请在浏览器的下载列表中打开文件。',
    ],
  },
  obstacles: {
    wrongDevice: ({ platform }) =>
      platform === 'ios'
        ? { title: '此构建适用于 iPhone 和 iPad', text: '无法安装到 Android 设备。请在 iPhone 或 iPad 上打开此链接。' }
        : { title: '此构建适用于 Android', text: '无法安装到 iPhone 或 iPad。请在 Android 设备上打开此链接。' },
    otherFamily: ({ devices }) => ({
      title: `此构建适用于 ${devices}`,
      text: '无法安装到此设备。',
    }),
    partOfApp: () => ({
      title: '只是应用的一部分',
      text: '缺少其他部分，Android 不会安装。请向团队索取包含完整应用的 APK。',
    }),
    testOnly: () => ({
      title: '仅供通过数据线测试',
      text: 'Android 只允许从开发者的电脑安装此构建。请向团队索取未标记为“test only”的构建。',
    }),
    simulatorOnly: () => ({
      title: '为模拟器构建',
      text: '任何设备都无法运行此构建。请向团队索取为真机构建的版本。',
    }),
    unreachableServer: () => ({
      title: '手机无法访问此服务器',
      text: '其地址只有这台电脑能够访问。管理员需要设置公开的基础 URL。',
    }),
    insecureServer: () => ({
      title: 'iOS 只能通过 HTTPS 安装',
      text: '此服务器的地址不是以 https 开头。需要由管理员更改。',
    }),
    notSigned: ({ platform }) => ({
      title: '此构建没有签名',
      text: `${platform === 'ios' ? 'iOS' : 'Android'} 会拒绝没有签名的应用。请向团队索取已签名的构建。`,
    }),
    brokenSignature: () => ({
      title: '签名已损坏',
      text: '文件在签名后被更改，因此 Android 会拒绝安装。请向团队索取新的构建。',
    }),
    oldSignature: () => ({
      title: '仅使用旧方式签名',
      text: '此构建缺少 v2 或更高方案的签名，Android 11 及更高版本会拒绝安装。',
    }),
    profileExpired: ({ date }, formatDate) => ({
      title: '描述文件已过期',
      text: `它已于${formatDate(date)}到期。iOS 不会安装或打开此构建。`,
    }),
    appStoreOnly: () => ({
      title: '此构建仅用于 App Store',
      text: '它是为 App Store 和 TestFlight 签名的，无法通过链接安装。',
    }),
    registeredDevicesOnly: ({ count }) => ({
      title: '仅限已注册的设备',
      text: `${count === null ? '' : `此构建允许 ${count} 台设备。`}如果您的设备不在其中，安装将会失败。`,
    }),
    systemTooOld: ({ needed, has }) => ({
      title: `此构建需要 ${needed}`,
      text: `您的设备运行的是 ${has}。请更新系统，或使用较新的设备。`,
    }),
    targetTooOld: ({ since, madeFor }) => ({
      title: '为非常旧的 Android 制作',
      text: `Android ${since} 及更高版本会拒绝为 Android ${madeFor} 或更早版本制作的应用。`,
    }),
    otherSigner: ({ build, isDebug }) => ({
      title: isDebug ? '使用调试密钥签名' : '使用其他密钥签名',
      text: `版本 ${build.short_version} (${build.version}) 的签名不同。如果已安装该版本，请先卸载；其数据将丢失。`,
    }),
    deviceNotInProfile: () => ({
      title: '您的设备尚未包含在此构建中',
      text: '您已注册的设备都不在此构建的描述文件中。请向团队索取包含该设备的构建。',
    }),
    higherInstalled: ({ build }) => ({
      title: '之前已分发过更高的版本',
      text: `Android 不会用较低的版本替换版本 ${build.short_version} (${build.version})。如果已安装该版本，请先卸载；其数据将丢失。`,
    }),
    inAppBrowser: ({ platform }) => ({
      title: '此页面是在其他应用中打开的',
      text: `如果点按后没有反应，请在 ${platform === 'ios' ? 'Safari' : 'Chrome'} 中打开此链接。`,
    }),
  },
  messages: {
    addressWorks: {
      title: '此设备可以访问 Fairlead',
      text: '您开始检查的页面稍后会显示结果。可以关闭此页面。',
    },
    notFound: { title: '这里没有可安装的内容', text: '此链接不存在，或其构建已被删除。请向团队索取新的链接。' },
    pageNotFound: {
      title: '此页面不存在',
      text: '地址不完整，或已被新的地址取代。请使用最新的邮件，或联系团队。',
    },
    nothingYet: {
      title: '暂时没有可安装的内容',
      text: '有新构建时，此地址会显示最新的一个。请稍后再来。',
    },
    linkExpired: { title: '此链接已过期', text: '请向发送链接的团队索取新的链接。' },
    linkRevoked: { title: '此链接已被撤回', text: '请向发送链接的团队索取新的链接。' },
    buildRemoved: {
      title: '此构建已被移除',
      text: '团队的规则会移除旧构建。请向团队索取更新的构建。',
    },
    downloadExpired: { title: '此页面打开的时间过长', text: '请重新打开安装链接，然后从新页面下载。' },
    tooManyAttempts: { title: '尝试次数过多', text: '请等待一刻钟后再试。' },
    tooMuchFeedback: {
      title: '目前反馈过多',
      text: '请返回上一页，您的文字仍在那里，一小时后再试。',
    },
    feedbackOff: { title: '此处不接受反馈', text: '团队不通过此链接接受反馈。' },
    badRequest: { title: '无法处理', text: '无法响应此请求。请重新打开安装链接。' },
    failed: { title: '出现问题', text: '服务器未能响应。请稍后再试。' },
  },
  feedback: {
    send: '发送反馈',
    text: '您注意到了什么？',
    pictures: '图片（可选）',
    picturesHint: '最多三个 PNG、JPEG 或 WebP 文件。拍摄地点和时间会被移除。',
    contact: '如何联系您？（可选）',
    submit: '发送',
    thanks: { title: '谢谢', text: '您的反馈已送达团队。' },
    back: '返回应用页面',
    textFault: '请填写内容，最多 5,000 个字符。',
    contactFault: '联系方式最多 200 个字符。',
    pictureFault: (place) => `第 ${place} 张图片无法接受。请选择 PNG、JPEG 或 WebP 格式，或不附上它。`,
    tooManyPictures: '最多选择三张图片。',
    tooLarge: '图片太大：每张最多 10 MB，总共最多 25 MB。',
  },
  devices: {
    title: '您的设备',
    add: '添加此 iPhone 或 iPad',
    why: (team) =>
      `测试构建只能在团队注册过的设备上运行。只有 ${team} 的开发者和管理员会看到此设备的标识符（UDID）、型号和系统版本。` +
      '您可以随时在此删除。',
    steps: '允许描述文件，打开“设置”，轻点“已下载描述文件”并安装。之后会重新打开此页面。',
    remove: '删除',
    profile: { title: '发送此设备的标识符', text: '仅发送一次标识符、型号和系统版本，随后即被移除。' },
  },
  passwordNeeded: '此安装链接受密码保护。',
  password: '密码',
  continue: '继续',
  passwordWrong: '密码不正确。',
  reference: '参考编号',
  testerPage: {
    allBuilds: '您的所有构建',
    title: '您的测试构建',
    of: (address) => `收件人：${address}`,
    keepPrivate: '拥有此页面地址的任何人都可以打开它，请勿转发。',
    nothing: '目前没有适合您的构建。',
    allApps: '所有应用',
    installed: '已安装',
    open: '打开',
    needsPassword: '需要密码',
    cutAfter: (count) => `显示最新的 ${count} 个构建。`,
    mails: '邮件',
    mailsOn: (workspace, address) => `${workspace} 会将新构建通知发送至 ${address}。`,
    mailsOff: (workspace, address) => `${workspace} 不会向 ${address} 发送构建邮件。`,
    turnOff: '停止这些邮件',
    turnOn: '重新接收这些邮件',
  },
}
