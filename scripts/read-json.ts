/**
 * Reads JSON whose form the caller knows, because a program or a file of this repository wrote it: an answer of a
 * server under test, the output of a command, a fixture. Tests assert what they read, so a wrong form fails there. Text
 * of strangers is parsed by a schema instead.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the form
export function readJson<Content>(text: string): Content {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller knows who wrote the text, as said above
  return JSON.parse(text) as Content
}

/** Reads the body of an answer like `readJson`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the form
export async function readAnswer<Content>(answer: Pick<Response, 'text'>): Promise<Content> {
  return readJson<Content>(await answer.text())
}
