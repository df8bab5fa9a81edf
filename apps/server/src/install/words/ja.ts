import type { Words } from './words.ts'

export const ja: Words = {
  version: (shortVersion, version) => `バージョン ${shortVersion} (${version})`,
  madeFor: { ios: 'iPhone・iPad', android: 'Android' },
  size: 'サイズ',
  uploaded: 'アップロード日',
  expires: 'リンクの有効期限',
  requires: '必要なOS',
  orLater: (system) => `${system} 以降`,
  beforeYouInstall: 'インストールの前に',
  notes: '新機能',
  install: 'インストール',
  installOnIpad: 'この iPad にインストール',
  onIpad: 'iPad でご覧ですか？',
  download: { ios: 'IPA をダウンロード', android: 'APK をダウンロード' },
  scan: 'スマートフォンのカメラでこのコードを読み取ると、そのままインストールできます。',
  olderBuilds: '以前のビルド',
  afterTap: {
    ios: '表示される確認に同意すると、ホーム画面にアプリが現れます。',
    android: 'ダウンロードが終わったら、ファイルを開いてインストールしてください。',
  },
  help: 'インストールできないとき',
  helpWith: {
    ios: [
      '何も起きないように見えるときは、ホーム画面を確認してください。完了するまでアイコンは暗く表示されます。',
      '「インストールできません」：お使いのデバイスがこのビルドに登録されていない可能性があります。チームに追加を依頼してください。',
      '「信頼されていない開発元」：「設定」›「一般」›「VPNとデバイス管理」で開発元を信頼してください。',
      'デベロッパモードを求められたら、「設定」›「プライバシーとセキュリティ」でオンにし、再起動してください。',
    ],
    android: [
      '確認が表示されたら、ブラウザに不明なアプリのインストールを許可し、戻ってもう一度ファイルを開いてください。',
      'Play プロテクトの警告が出たら、送信元を信頼できる場合に限り「詳細」から「インストールする」を選んでください。',
      '「アプリはインストールされていません」：空き容量を増やしてください。それでもだめなら、今のバージョンをアンインストールしてください（データは失われます）。',
      '何も起きないように見えるときは、ブラウザのダウンロード一覧からファイルを開いてください。',
    ],
  },
  obstacles: {
    wrongDevice: ({ platform }) =>
      platform === 'ios'
        ? {
            title: 'このビルドは iPhone・iPad 用です',
            text: 'Android にはインストールできません。iPhone か iPad でこのリンクを開いてください。',
          }
        : {
            title: 'このビルドは Android 用です',
            text: 'iPhone や iPad にはインストールできません。Android デバイスでこのリンクを開いてください。',
          },
    otherFamily: ({ devices }) => ({
      title: `このビルドは ${devices} 用です`,
      text: 'このデバイスにはインストールできません。',
    }),
    partOfApp: () => ({
      title: 'アプリの一部だけです',
      text: 'ほかの部分がないと Android はインストールしません。アプリ全体を含む APK をチームに依頼してください。',
    }),
    testOnly: () => ({
      title: 'ケーブル接続のテスト用です',
      text: 'このビルドは開発者のコンピューターからしかインストールできません。「test only」でないビルドをチームに依頼してください。',
    }),
    simulatorOnly: () => ({
      title: 'シミュレーター用のビルドです',
      text: '実機では動作しません。実機用のビルドをチームに依頼してください。',
    }),
    unreachableServer: () => ({
      title: 'スマートフォンからこのサーバーに接続できません',
      text: 'アドレスがこのコンピューターでしか通じません。管理者が公開用のベースURLを設定する必要があります。',
    }),
    insecureServer: () => ({
      title: 'iOS は HTTPS でのみインストールできます',
      text: 'このサーバーのアドレスは https で始まっていません。管理者による変更が必要です。',
    }),
    notSigned: ({ platform }) => ({
      title: 'このビルドは署名されていません',
      text: `${platform === 'ios' ? 'iOS' : 'Android'} は署名のないアプリを受け付けません。署名済みのビルドをチームに依頼してください。`,
    }),
    brokenSignature: () => ({
      title: '署名が壊れています',
      text: '署名後にファイルが変更されているため、Android に拒否されます。新しいビルドをチームに依頼してください。',
    }),
    oldSignature: () => ({
      title: '古い方式でのみ署名されています',
      text: 'v2 以降の署名がないため、Android 11 以降に拒否されます。',
    }),
    profileExpired: ({ date }, formatDate) => ({
      title: 'プロビジョニングプロファイルの期限が切れています',
      text: `${formatDate(date)}に期限が切れました。このビルドはインストールも起動もできません。`,
    }),
    appStoreOnly: () => ({
      title: 'このビルドは App Store 用です',
      text: 'App Store と TestFlight 用に署名されているため、リンクからはインストールできません。',
    }),
    registeredDevicesOnly: ({ count }) => ({
      title: '登録済みデバイス専用です',
      text: `${count === null ? '' : `${count} 台のデバイスが登録されています。`}お使いのデバイスが含まれていない場合、インストールに失敗します。`,
    }),
    systemTooOld: ({ needed, has }) => ({
      title: `このビルドには ${needed} が必要です`,
      text: `お使いのデバイスは ${has} です。更新するか、新しいデバイスをお使いください。`,
    }),
    targetTooOld: ({ since, madeFor }) => ({
      title: 'とても古い Android 向けです',
      text: `Android ${since} 以降は、Android ${madeFor} 以前向けのアプリを受け付けません。`,
    }),
    otherSigner: ({ build, isDebug }) => ({
      title: isDebug ? 'デバッグ用の鍵で署名されています' : '別の鍵で署名されています',
      text: `バージョン ${build.short_version} (${build.version}) とは署名が異なります。インストール済みなら先にアンインストールしてください（データは失われます）。`,
    }),
    deviceNotInProfile: () => ({
      title: 'お使いのデバイスはまだこのビルドに含まれていません',
      text: '登録済みのどのデバイスもこのビルドのプロファイルにありません。含まれるビルドをチームに依頼してください。',
    }),
    higherInstalled: ({ build }) => ({
      title: 'より新しいバージョンがすでに配布されています',
      text:
        `Android はバージョン ${build.short_version} (${build.version}) を古いもので置き換えません。` +
        'インストール済みなら先にアンインストールしてください（データは失われます）。',
    }),
    inAppBrowser: ({ platform }) => ({
      title: 'このページは別のアプリの中で開かれています',
      text: `タップしても何も起きないときは、${platform === 'ios' ? 'Safari' : 'Chrome'} でリンクを開いてください。`,
    }),
  },
  messages: {
    addressWorks: {
      title: 'この端末から Fairlead に接続できます',
      text: '確認を始めたページにまもなく表示されます。このページは閉じてかまいません。',
    },
    notFound: {
      title: 'インストールできるものがありません',
      text: 'このリンクは存在しないか、ビルドが削除されました。新しいリンクをチームに依頼してください。',
    },
    pageNotFound: {
      title: 'このページは存在しません',
      text: 'アドレスが不完全か、新しいものに変更されています。最新のメールから開くか、チームに問い合わせてください。',
    },
    nothingYet: {
      title: 'まだインストールできるものがありません',
      text: '最新のビルドが用意されると、このアドレスに表示されます。後でもう一度開いてください。',
    },
    linkExpired: { title: 'このリンクは期限切れです', text: 'リンクを送ったチームに新しいものを依頼してください。' },
    linkRevoked: {
      title: 'このリンクは取り消されました',
      text: 'リンクを送ったチームに新しいものを依頼してください。',
    },
    buildRemoved: {
      title: 'このビルドは削除されました',
      text: '古いビルドはチームのルールにより削除されます。新しいビルドをチームに依頼してください。',
    },
    downloadExpired: {
      title: 'ページを開いてから時間が経ちすぎました',
      text: 'インストール用リンクをもう一度開くと、ダウンロードできます。',
    },
    tooManyAttempts: { title: '試行回数が多すぎます', text: '15 分待ってから、もう一度お試しください。' },
    tooMuchFeedback: {
      title: 'フィードバックが多すぎます',
      text: '前のページに戻ると文章は残っています。1時間後にもう一度お試しください。',
    },
    feedbackOff: {
      title: 'フィードバックは受け付けていません',
      text: 'このリンクからのフィードバックをチームは受け付けていません。',
    },
    badRequest: {
      title: '処理できませんでした',
      text: 'リクエストに応答できません。インストール用リンクをもう一度開いてください。',
    },
    failed: {
      title: '問題が発生しました',
      text: 'サーバーが応答できませんでした。しばらくしてからもう一度お試しください。',
    },
  },
  feedback: {
    send: 'フィードバックを送る',
    text: 'お気づきの点をお書きください',
    pictures: '画像（任意）',
    picturesHint: 'PNG、JPEG、WebP を3枚まで。撮影場所と日時は削除されます。',
    contact: 'ご連絡先（任意）',
    submit: '送信',
    thanks: { title: 'ありがとうございます', text: 'フィードバックがチームに届きました。' },
    back: 'アプリのページに戻る',
    textFault: '5,000文字以内でお書きください。',
    contactFault: 'ご連絡先は200文字以内でお書きください。',
    pictureFault: (place) =>
      `${place}枚目の画像は受け付けられません。PNG、JPEG、WebP のいずれかにするか、外してください。`,
    tooManyPictures: '画像は3枚までお選びください。',
    tooLarge: '画像が大きすぎます。1枚10 MB、合計25 MBまでです。',
  },
  devices: {
    title: 'お使いのデバイス',
    add: 'この iPhone・iPad を追加',
    why: (team) =>
      'テスト用ビルドは、チームが登録したデバイスでのみ動作します。' +
      `${team} の開発者と管理者だけが、このデバイスの ID（UDID）、機種、システムのバージョンを見ることができます。` +
      'ここでいつでも削除できます。',
    steps:
      'プロファイルを許可し、「設定」で「プロファイルがダウンロード済み」をタップしてインストールしてください。その後このページに戻ります。',
    remove: '削除',
    profile: {
      title: 'このデバイスの ID を送信',
      text: 'ID、機種、システムのバージョンを一度だけ送信し、その後削除されます。',
    },
  },
  passwordNeeded: 'このインストール用リンクはパスワードで保護されています。',
  password: 'パスワード',
  continue: '続ける',
  passwordWrong: 'パスワードが違います。',
  reference: '参照番号',
  testerPage: {
    allBuilds: 'あなた宛てのすべてのビルド',
    title: 'テスト用ビルド',
    of: (address) => `${address} 様`,
    keepPrivate: 'このページのアドレスを知っている人は誰でも開けます。ほかの人に渡さないでください。',
    nothing: '現在、あなた宛てのビルドはありません。',
    allApps: 'すべてのアプリ',
    installed: 'インストール済み',
    open: '開く',
    needsPassword: 'パスワードが必要',
    cutAfter: (count) => `新しい順に${count}件のビルドを表示しています。`,
    mails: 'メール',
    mailsOn: (workspace, address) => `${workspace} から ${address} に新しいビルドのお知らせが届きます。`,
    mailsOff: (workspace, address) => `${workspace} から ${address} にビルドのメールは届きません。`,
    turnOff: 'メールの配信を停止する',
    turnOn: 'メールの配信を再開する',
  },
}
