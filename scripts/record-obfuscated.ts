/**
 * Builds a Java program with planted bugs twice, obfuscates it with `-repackageclasses ''`, runs it, and records its
 * mappings and traces for the tests: `node scripts/record-obfuscated.ts`. It needs a JDK and Debian's `proguard-cli`.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const target = join(import.meta.dirname, '../apps/server/src/testing/obfuscated-bugs.json')

/** The body of `act()` of each bug's class, and what the class needs beside it. */
const bugs: { body: string; members?: string }[] = [
  { body: 'throw new org.tarn.shop.errors.OrderGone("order " + salt + " is gone");' },
  { body: 'String text = salt < 0 ? "x" : null; return text.length();' },
  { body: 'return java.util.Objects.requireNonNull(salt < 0 ? "x" : null, "text").length();' },
  { body: 'return new java.util.ArrayList<Integer>().get(salt);' },
  {
    body: `try {
      return step();
    } catch (RuntimeException cause) {
      throw new org.tarn.shop.errors.PaymentRefused("payment " + salt, cause);
    }`,
    members: 'private int step() { throw new org.tarn.shop.errors.OrderGone("empty"); }',
  },
  {
    body: 'return dig(3);',
    members: `private int dig(int depth) {
    if (depth == 0) throw new IllegalStateException("bottom");
    return dig(depth - 1);
  }`,
  },
  {
    body: `java.util.Arrays.asList(1, 2).forEach(one -> {
      throw new IllegalStateException("in a lambda");
    });
    return 0;`,
  },
  {
    body: `new Runnable() {
      public void run() { throw new org.tarn.shop.errors.OrderGone("in a class without a name"); }
    }.run();
    return 0;`,
  },
  { body: 'return Integer.parseInt("number " + salt);' },
  {
    body: `java.util.List<Integer> list = new java.util.ArrayList<>(java.util.Arrays.asList(1, 2, 3));
    for (Integer one : list) list.remove(one);
    return 0;`,
  },
  { body: 'return okhttp3.internal.Checks.header(null);' },
  { body: 'return okhttp3.internal.Checks.header(null);' },
  { body: 'return okhttp3.internal.Chain.proceed(() -> {\n      throw new IllegalStateException("closed");\n    });' },
  { body: 'return okhttp3.internal.Chain.proceed(() -> {\n      throw new IllegalStateException("closed");\n    });' },
]
const areas = ['cart', 'pay', 'ship', 'login']
const screens = 3

const failure = (name: string) => `package org.tarn.shop.errors;
public class ${name} extends RuntimeException {
  public ${name}(String message) { super(message); }
  public ${name}(String message, Throwable cause) { super(message, cause); }
}
`

const checks = `package okhttp3.internal;
public class Checks {
  public static int header(String value) {
    if (value == null) throw new IllegalArgumentException("header");
    return 0;
  }
}
`

const chain = `package okhttp3.internal;
public class Chain {
  public static int proceed(Runnable call) {
    return next(call, 2);
  }
  private static int next(Runnable call, int left) {
    if (left == 0) call.run();
    return left == 0 ? 0 : next(call, left - 1);
  }
}
`

function toPackage(place: number): string {
  return `org.tarn.shop.${areas[place % areas.length]}`
}

/** @param build the second build has more classes and lines, so that names and lines differ */
function writeSources(build: number): Map<string, string> {
  const files = new Map<string, string>()
  const add = (className: string, text: string) => files.set(`${className.replaceAll('.', '/')}.java`, text)
  const blank = '\n'.repeat(build * 3)
  add('org.tarn.shop.errors.OrderGone', failure('OrderGone'))
  add('org.tarn.shop.errors.PaymentRefused', failure('PaymentRefused'))
  add('okhttp3.internal.Checks', checks)
  add('okhttp3.internal.Chain', chain)
  for (const [place, { body, members = '' }] of bugs.entries()) {
    const text = `package ${toPackage(place)};${blank}
public class Site${place} {
  private final int salt;
  public Site${place}(int salt) { this.salt = salt; }
  public int act() {
    ${body}
  }
  ${members}
}
`
    add(`${toPackage(place)}.Site${place}`, text)
  }
  const calls = bugs.map((_, place) => `      case ${place}: return new ${toPackage(place)}.Site${place}(salt).act();`)
  for (let screen = 0; screen < screens; screen++) {
    const next = `    if (salt % 2 == 0) return new Screen${screen - 1}().open(bug, salt + 1);\n`
    const text = `package org.tarn.shop.ui;${blank}
public class Screen${screen} {
  public int open(int bug, int salt) {
${screen === 0 ? '' : next}    switch (bug) {
${calls.join('\n')}
    }
    return 0;
  }
}
`
    add(`org.tarn.shop.ui.Screen${screen}`, text)
  }
  for (let more = 0; more < build * 20; more++) {
    add(`org.tarn.shop.more.Added${more}`, `package org.tarn.shop.more;\npublic class Added${more} {}\n`)
  }
  const toOpening = (screen: number) => {
    return `        case ${screen}: new org.tarn.shop.ui.Screen${screen}().open(bug, ${screen} + 2); break;`
  }
  const opened = Array.from({ length: screens }, (_, screen) => toOpening(screen))
  add(
    'Main',
    `public class Main {
  public static void main(String[] words) {
    for (int bug = 0; bug < ${bugs.length}; bug++) for (int screen = 0; screen < ${screens}; screen++) {
      try {
        switch (screen) {
${opened.join('\n')}
        }
        System.out.println("=== " + bug + " nothing");
      } catch (RuntimeException error) {
        java.io.StringWriter text = new java.io.StringWriter();
        error.printStackTrace(new java.io.PrintWriter(text));
        System.out.println("=== " + bug + " " + screen);
        System.out.print(text);
      }
    }
  }
}
`,
  )
  return files
}

const rules = `-repackageclasses ''
-overloadaggressively
-allowaccessmodification
-dontshrink
-dontoptimize
-ignorewarnings
-keepattributes SourceFile,LineNumberTable,InnerClasses,EnclosingMethod
-renamesourcefileattribute SourceFile
-keep class Main { public static void main(java.lang.String[]); }
-keepclassmembers class * { public void run(); }
`

/** Cuts the program's output into traces. */
function cut(output: string): { bug: number; trace: string }[] {
  return output
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return { bug: Number(part.slice(0, part.indexOf(' '))), trace: part.slice(end + 1) }
    })
}

async function build(folder: string, number: number) {
  const sources = writeSources(number)
  for (const [path, text] of sources) {
    await mkdir(join(folder, 'src', dirname(path)), { recursive: true })
    await writeFile(join(folder, 'src', path), text)
  }
  const files = [...sources.keys()].map((path) => join(folder, 'src', path))
  await run('javac', ['-nowarn', '--release', '8', '-g:source,lines', '-d', join(folder, 'classes'), ...files])
  await run('jar', ['cf', 'plain.jar', '-C', 'classes', '.'], { cwd: folder })
  await writeFile(
    join(folder, 'rules.pro'),
    `-injars plain.jar\n-outjars small.jar\n-printmapping mapping.txt\n${rules}`,
  )
  await run('proguard', ['@rules.pro'], { cwd: folder, maxBuffer: 2 ** 26 })
  const { stdout: obfuscated } = await run('java', ['-cp', 'small.jar', 'Main'], { cwd: folder })
  const { stdout: plain } = await run('java', ['-cp', 'plain.jar', 'Main'], { cwd: folder })
  const sourceTraces = cut(plain)
  return {
    shortVersion: `2.${number}`,
    version: String(100 + number),
    mapping: await readFile(join(folder, 'mapping.txt'), 'utf8'),
    crashes: cut(obfuscated).map(({ bug, trace }, place) => ({ bug, trace, source: sourceTraces[place]?.trace })),
  }
}

const folder = await mkdtemp(join(tmpdir(), 'obfuscated-'))
try {
  const builds = []
  for (const number of [0, 1]) builds.push(await build(join(folder, String(number)), number))
  await writeFile(target, `${JSON.stringify({ bugCount: bugs.length, builds }, null, 1)}\n`)
} finally {
  await rm(folder, { recursive: true })
}
