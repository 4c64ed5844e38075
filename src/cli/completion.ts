/** `kith completion SHELL`: a script that completes commands and flags, made of the commands there are. */
import { Argument, type Command } from 'commander';
import { withExamples } from './help.ts';

export function addCompletionCommand(program: Command): void {
  const command = program.command('completion').description('print a script that completes commands and flags');
  withExamples(command, ['kith completion fish | source', 'source <(kith completion bash)']);
  command
    .addArgument(new Argument('<shell>', 'whose language it is').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      process.stdout.write(scripts[shell](branches(program)));
    });
}

/** What may follow a command: `path` is `kith`, or `kith org`. */
interface Branch {
  readonly path: string;
  readonly words: readonly string[];
}

function branches(command: Command, path = command.name()): readonly Branch[] {
  const flags = command.options.flatMap(({ long }) => long ?? []);
  const words = [...command.commands.map((child) => child.name()), ...flags, '--json', '--help'];
  const below = command.commands.flatMap((child) => branches(child, `${path} ${child.name()}`));
  return [{ path, words: [...new Set(words)] }, ...below];
}

/** The deepest command on the line decides; flags and their values lie between. */
const bash = (all: readonly Branch[]) => `_kith() {
  local path=kith next word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="$path $word"
    case "$next" in
      ${all.map(({ path }) => `'${path}'`).join(' | ')}) path=$next ;;
    esac
  done
  case "$path" in
${all.map(({ path, words }) => `    '${path}') COMPREPLY=($(compgen -W '${words.join(' ')}' -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`).join('\n')}
  esac
}
complete -o default -F _kith kith
`;

const scripts = {
  bash,
  zsh: (all: readonly Branch[]) => `autoload -Uz bashcompinit && bashcompinit\n${bash(all)}`,
  fish: (all: readonly Branch[]) =>
    all
      .map(({ path, words }) => {
        const names = path.split(' ').slice(1);
        const seen = names.map((name) => `__fish_seen_subcommand_from ${name}`);
        const others = all.flatMap((other) => (isBelow(other.path, path) ? [other.path.split(' ').at(-1) ?? ''] : []));
        const unseen = others.length > 0 ? [`not __fish_seen_subcommand_from ${others.join(' ')}`] : [];
        const condition = [...seen, ...unseen].join('; and ');
        return `complete -c kith -n '${condition || 'true'}' -a '${words.join(' ')}'\n`;
      })
      .join(''),
};

function isBelow(path: string, parent: string): boolean {
  return path.startsWith(`${parent} `) && !path.slice(parent.length + 1).includes(' ');
}
