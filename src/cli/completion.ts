/** `kith completion SHELL`: prints a script that completes commands, flags and values, generated from the commands. */
import { Argument, type Command } from 'commander';
import type { ValueKind } from './complete.ts';
import { withExamples } from './help.ts';

/** Adds `kith completion`. */
export function addCompletionCommand(program: Command): void {
  const command = program.command('completion').description('print a script that completes commands, flags and names');
  withExamples(command, ['kith completion fish | source', 'source <(kith completion bash)']);
  command
    .addArgument(new Argument('<shell>', 'whose language it is').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      process.stdout.write(scripts[shell](branches(program)));
    });
}

/** Fixed words, or a kind of names that `kith complete` looks up. */
type Values = { readonly words: readonly string[] } | { readonly kind: ValueKind };

/** A command or group of commands: `path` is `kith`, or `kith org`. */
interface Branch {
  readonly path: string;
  readonly words: readonly string[];
  /** By flag. */
  readonly values: ReadonlyMap<string, Values>;
  /** Values of the first argument. */
  readonly first: Values | undefined;
}

const kindsOfFlags: Readonly<Record<string, ValueKind>> = {
  '--org': 'organizations',
  '--object': 'objects',
  '--role': 'roles',
  '--datasource': 'datasources',
};

function branches(command: Command, path = command.name()): readonly Branch[] {
  const flags = command.options.flatMap(({ long }) => long ?? []);
  const children = command.commands.filter((child) => child.name() !== 'complete');
  const words = [...children.map((child) => child.name()), ...flags, '--json', '--help'];
  const values = command.options.flatMap(({ long, argChoices }): [string, Values][] => {
    const kind = path === 'kith restore' ? undefined : kindsOfFlags[long ?? ''];
    if (!long || (!argChoices && !kind)) return [];
    return [[long, kind ? { kind } : { words: argChoices ?? [] }]];
  });
  const [argument] = command.registeredArguments;
  const isObject = argument?.name() === 'object';
  const first: Values | undefined = isObject
    ? { kind: 'objects' }
    : argument?.argChoices && { words: argument.argChoices };
  const below = children.flatMap((child) => branches(child, `${path} ${child.name()}`));
  return [{ path, words: [...new Set(words)], values: new Map(values), first }, ...below];
}

/** The deepest command on the line decides; flags and their values may be in between. */
const bash = (all: readonly Branch[]) => `_kith_names() {
  local name
  while IFS= read -r name; do
    [[ "$name" == "$1"* ]] && COMPREPLY+=("$(printf '%q' "$name")")
  done < <("\${COMP_WORDS[0]}" complete "$2" \${3:+--org "$3"} 2>/dev/null)
}
_kith() {
  local path=kith next word org='' before='' current="\${COMP_WORDS[COMP_CWORD]}" last="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  current="\${current//\\\\/}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ "$before" == --org ]] && org="\${word//\\\\/}"
    before="$word"
    next="$path $word"
    case "$next" in
      ${all.map(({ path }) => `'${path}'`).join(' | ')}) path=$next ;;
    esac
  done
  case "$path|$last" in
${all
  .flatMap(({ path, values, first }) => [
    ...[...values].map(([flag, each]) => `    '${path}|${flag}') ${bashValues(each)}; return ;;`),
    ...(first ? [`    '${path}|${path.split(' ').at(-1)}') ${bashValues(first)} ;;`] : []),
  ])
  .join('\n')}
  esac
  case "$path" in
${all.map(({ path, words }) => `    '${path}') COMPREPLY+=($(compgen -W '${words.join(' ')}' -- "$current")) ;;`).join('\n')}
  esac
}
complete -o default -F _kith kith
`;

function bashValues(values: Values): string {
  if ('kind' in values) return `_kith_names "$current" ${values.kind} "$org"`;
  return `COMPREPLY=($(compgen -W '${values.words.join(' ')}' -- "$current"))`;
}

const scripts = {
  bash,
  zsh: (all: readonly Branch[]) => `autoload -Uz bashcompinit && bashcompinit\n${bash(all)}`,
  fish: (all: readonly Branch[]) => all.map((branch) => fishLines(branch, all)).join(''),
};

function fishLines({ path, words, values, first }: Branch, all: readonly Branch[]): string {
  const names = path.split(' ').slice(1);
  const seen = names.map((name) => `__fish_seen_subcommand_from ${name}`);
  const others = all.flatMap((other) => (isBelow(other.path, path) ? [other.path.split(' ').at(-1) ?? ''] : []));
  const unseen = others.length > 0 ? [`not __fish_seen_subcommand_from ${others.join(' ')}`] : [];
  const condition = [...seen, ...unseen].join('; and ') || 'true';
  const line = (rest: string) => `complete -c kith -n '${condition}' ${rest}\n`;
  return [
    line(`-a '${words.join(' ')}'`),
    ...[...values].map(([flag, each]) => line(`-l ${flag.slice(2)} -x -a '${fishValues(each)}'`)),
    ...(first ? [line(`-a '${fishValues(first)}'`)] : []),
  ].join('');
}

function fishValues(values: Values): string {
  return 'kind' in values ? `(kith complete ${values.kind} 2>/dev/null)` : values.words.join(' ');
}

function isBelow(path: string, parent: string): boolean {
  return path.startsWith(`${parent} `) && !path.slice(parent.length + 1).includes(' ');
}
