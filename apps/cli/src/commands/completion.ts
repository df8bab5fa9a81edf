import { buildCommand } from '@stricli/core'
import type { CliContext } from '../context.ts'
import { writeLine, writeResult } from '../output/write.ts'
import { jsonFlag, type JsonFlag } from '../flags.ts'

type Shell = 'bash' | 'zsh' | 'fish' | 'powershell'

/** Each script calls `fairlead __complete` with the words so far, and completes file names if it proposes nothing. */
const scripts: Record<Shell, string> = {
  bash: [
    '_fairlead() {',
    "  local IFS=$'\\n'",
    '  COMPREPLY=($(fairlead __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))',
    '}',
    'complete -o default -F _fairlead fairlead',
  ].join('\n'),
  zsh: [
    '#compdef fairlead',
    '_fairlead() {',
    '  local -a proposals',
    '  proposals=(${(f)"$(fairlead __complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})',
    '  if (( ${#proposals} )); then compadd -a proposals; else _files; fi',
    '}',
    'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _fairlead "$@"; else compdef _fairlead fairlead; fi',
  ].join('\n'),
  fish: "complete -c fairlead -a '(fairlead __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'",
  powershell: [
    'Register-ArgumentCompleter -Native -CommandName fairlead -ScriptBlock {',
    '  param($word, $line, $position)',
    '  $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })',
    "  if ($word -eq '') { $words += '' }",
    '  fairlead __complete @words 2>$null | ForEach-Object {',
    "    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)",
    '  }',
    '}',
  ].join('\n'),
}

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const satisfies Shell[]

export const command = buildCommand<JsonFlag, [shell: Shell], CliContext>({
  docs: {
    brief: 'Write the completion script of a shell',
    fullDescription: [
      '  bash  fairlead completion bash >> ~/.bashrc',
      '  zsh   fairlead completion zsh > "${fpath[1]}/_fairlead"',
      '  fish  fairlead completion fish > ~/.config/fish/completions/fairlead.fish',
      '  PowerShell  fairlead completion powershell >> $PROFILE',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        {
          brief: 'bash, zsh, fish or powershell',
          placeholder: 'shell',
          parse: parseShell,
          proposeCompletions: (partial) => shells.filter((shell) => shell.startsWith(partial)),
        },
      ],
    },
    flags: jsonFlag,
  },
  func({ json }, shell) {
    writeResult(this.io, json, { shell, script: scripts[shell] }, ({ script }) => writeLine(this.io, script))
  },
})

function parseShell(text: string): Shell {
  const shell = shells.find((one) => one === text)
  if (shell === undefined) throw new SyntaxError(`${JSON.stringify(text)} is none of ${shells.join(', ')}`)
  return shell
}
