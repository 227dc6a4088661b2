# The manual in all its forms, made from the table of commands.

says "exit codes: interrupted" '^  130  interrupted' --help
says "exit codes: ended" '^  143  ended by SIGTERM' --help
says "field words: RNEA" '^  inverse .*RNEA' --help
says "field words: CRBA" '^  inertia .*CRBA' --help
says "field words: ABA" '^  forward .*ABA' --help
says "field words: trajectory, waypoints" '^  plan .*trajectory through waypoints' --help

says "help: plot --out" '-o, --out FILE +the picture to write' help plot
says "help: parts --link" '--link NAME +print this link only' help parts
says "help: pose --link" '--link NAME +the link whose pose' help pose
says "help: shell --integrator" '--integrator NAME +integrator of simulations' help shell
says "help: snake state --in" '-i, --in FILE +many states, CSV: theta1' help snake state
says "help: ik --seed" '--seed S +seed of the random starting positions' help ik
says "help: paper --out" '--out DIR +folder' help paper
says "help: bench --dof" '--dof LIST +generic chains' help bench
says "help: snake --method" '-m, --method NAME +how to compute: kane-linear' help snake state
says "help: inverse --in" '-i, --in FILE +many states from a CSV file' help inverse

for command in inverse "snake state" help
do
  run help $command --as man
  [ $status -eq 0 ] && grep -q '^\.TH "linkwork' out && grep -q '^\.SH OPTIONS' out && grep -q '^\.SH EXIT STATUS' out
  verdict "man page of $command"
done
says "man page of the program" '^\.SH COMMANDS' help --as man
if command -v groff >/dev/null 2>&1
then
  for command in "" inverse "snake simulate" bench
  do
    "$linkwork" help $command --as man | groff -man -Tutf8 -ww >out 2>err
    status=$?
    [ $status -eq 0 ] && [ -s out ] && [ ! -s err ]
    verdict "man page of '$command' is typeset without a warning"
  done
fi
run help --as markdown
[ $status -eq 0 ] && missing=$("$linkwork" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]* \{0,1\}[a-z]*\)  .*/\1/p' | while read -r command
do
  grep -q "^## $command\$" out || echo "$command"
done) && [ -z "$missing" ]
verdict "markdown has every command"

if command -v bash >/dev/null 2>&1
then
  "$linkwork" help --as bash >completion.bash
  # completes LINE: the completions of the last, incomplete word
  completes()
  {
    bash -c '. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _linkwork; echo "${COMPREPLY[@]}"' - "$@" >out 2>err
    status=$?
  }
  completes linkwork inv
  [ "$(cat out)" = "inverse inverse-derivatives" ]
  verdict "bash: a command"
  completes linkwork inverse crane.yaml --qd
  [ "$(cat out)" = "--qd --qdd" ]
  verdict "bash: an option of the command"
  completes linkwork snake si
  [ "$(cat out)" = simulate ]
  verdict "bash: the second word of a command"
  completes linkwork snake simulate --torque-
  [ "$(cat out)" = --torque-law ]
  verdict "bash: an option of it"
  completes linkwork inverse cran
  [ "$(cat out)" = crane.yaml ]
  verdict "bash: a file"
fi
says "zsh" '^#compdef linkwork' help --as zsh
says "fish" "^complete -c linkwork -n '__fish_use_subcommand' -a inverse" help --as fish
if command -v fish >/dev/null
then
  "$linkwork" help --as fish >linkwork.fish
  # completes_fish LINE EXPECTED: the completions that fish offers, without descriptions
  completes_fish()
  {
    HOME=$work fish -c 'source linkwork.fish; complete -C "$argv[1]"' "$1" 2>err | cut -f1 >out
    status=0
    [ "$(tr '\n' ' ' <out)" = "$2 " ] && [ ! -s err ]
    verdict "fish: $1"
  }
  completes_fish 'linkwork inv' "inverse inverse-derivatives"
  completes_fish 'linkwork inverse --gra' --gravity
  completes_fish 'linkwork snake st' state
  completes_fish 'linkwork snake simulate --torque-' --torque-law
  completes_fish 'linkwork help inv' "inverse inverse-derivatives"
  [ -z "$(sed "s/\\\\\\\\//g; s/\\\\'//g; s/'[^']*'//g" linkwork.fish | grep "'")" ]
  verdict "fish: quotes within quotes"
else
  echo "# skipped: completion in fish, which is not installed"
fi
if command -v zsh >/dev/null && command -v timeout >/dev/null
then
  mkdir -p zsh
  "$linkwork" help --as zsh >zsh/_linkwork
  cat >complete.zsh <<'END'
# complete.zsh LINE EXPECTED: types the line and a tab in a terminal, and waits for the completed line
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($PWD/zsh \$fpath); autoload -U compinit; compinit -u -D; print LOA''DED"
zpty -r -m shell seen '*LOADED*'
zpty -w -n shell "$1"$'\t'
zpty -r -m shell seen "*$2*" && print -r -- "$2"
zpty -d shell
END
  completes_zsh()
  {
    HOME=$work timeout 60 zsh -f complete.zsh "$1" "$2" >out 2>err
    status=$?
    [ $status -eq 0 ] && [ "$(cat out)" = "$2" ]
    verdict "zsh: $1"
  }
  completes_zsh 'linkwork inv' 'linkwork inverse'
  completes_zsh 'linkwork inverse --gra' --gravity
  completes_zsh 'linkwork snake st' 'snake state'
  completes_zsh 'linkwork snake simulate --torque-' --torque-law
else
  echo "# skipped: completion in zsh, which is not installed"
fi
refuses "an unknown form" 2 "--as: unknown form 'pdf'; expected man, markdown, bash, zsh or fish" help --as pdf
refuses "the manual of an unknown command" 2 "unknown command 'nothing'" help nothing --as man
