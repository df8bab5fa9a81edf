/** Splits a line of a shell into the commands that it holds, each as words; comments and redirections are left out. */
export function splitCommands(line: string): string[][] {
  const commands: string[][] = [[]]
  let word: string | undefined
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word)
    word = undefined
  }
  const endCommand = () => {
    endWord()
    commands.push([])
  }
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === "'" || char === '"') {
      const end = line.indexOf(char, at + 1)
      if (end === -1) throw new Error(`A quotation is not closed: ${line}`)
      word = (word ?? '') + line.slice(at + 1, end)
      at = end
    } else if (char === '\\') word = (word ?? '') + line.charAt(++at)
    else if (char === '#' && word === undefined) break
    else if (/\s/.test(char)) endWord()
    else if (/[|;&()]/.test(char)) endCommand()
    else if (char === '>' || char === '<') {
      // The target of a redirection is the next word; a number before it is a stream.
      if (word !== undefined && /^\d$/.test(word)) word = undefined
      endWord()
      at += (/^[<>&]*\s*\S+/.exec(line.slice(at))?.[0].length ?? 1) - 1
    } else word = (word ?? '') + char
  }
  endWord()
  return commands.filter((words) => words.length > 0)
}
