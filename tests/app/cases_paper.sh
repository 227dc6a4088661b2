# linkwork paper: the command itself. What it measures is tested by papers/NAME.

refuses "no paper of that name" 2 "there is no paper 'nia205'; did you mean 'nia2005'" paper nia205
refuses "a name like no other" 2 "there is no paper 'zzz', expected nia2005" paper zzz
refuses "paper without a name" 2 "NAME" paper
refuses "paper, bad format" 2 "unknown format 'xml'; expected table, csv or json" paper silver1981 --quick --format xml
refuses "paper, no folder" 2 "--out: '-' is no folder" paper silver1981 --quick --out -
refuses "paper, an empty name" 2 "--out: '' is no folder" paper silver1981 --quick --out ''
: >occupied
refuses "paper, a file where the folder should be" 3 "cannot make occupied/silver1981: Not a directory" \
  paper silver1981 --quick --out occupied
[ ! -s occupied ]
verdict "the file is left alone"
json "paper, json" '"verdict": "reproduced' paper silver1981 --quick
run paper silver1981 --quick --out made/of/folders
[ $status -eq 0 ] && [ -s made/of/folders/silver1981/README.md ] && [ -s made/of/folders/silver1981/verdicts.csv ] &&
  [ "$(head -n 1 out)" = paper,section,claim,verdict,erratum,says,why ] && [ -z "$(ls made/of/folders/silver1981 | grep -vE '\.(md|csv|svg)$')" ]
verdict "paper --out makes folders and files"
