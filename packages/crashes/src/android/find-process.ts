/** The package of the app that a log of Android names as the one that crashed. */
export function findProcess(text: string): string | null {
  return /(?:^|: )Process: ([\w.]{1,200}), PID/m.exec(text)?.[1] ?? null
}
