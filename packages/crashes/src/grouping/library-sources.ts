/** The libraries of Dart, those of Flutter, and the folder that packages of JavaScript are installed in. */
const patterns = [/^dart:/, /^package:flutter\//, /(?:^|[/\\])node_modules[/\\]/]

/** Whether a source file belongs to a library, by where it lies. */
export function isLibrarySource(file: string): boolean {
  return patterns.some((pattern) => pattern.test(file))
}
