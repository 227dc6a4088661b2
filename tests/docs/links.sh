#!/bin/sh
# Checks links and paths in the documentation: links.sh ROOT
# Every relative link leads to a file, and its #anchor to a heading there. Every `folder/file` in backquotes exists. Every work
# cited in the source as "Author YEAR" is in docs/references.md, and every cited erratum in docs/errata.md.
set -u
LC_ALL=C
export LC_ALL
cd "$1" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# anchors FILE: the anchors of its headings
anchors()
{
  sed -n 's/^##* //p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

pages=$(ls README.md CONTRIBUTING.md CHANGELOG.md docs/*.md bench/README.md robots/README.md scenarios/README.md papers/*/README.md)
links=0
for page in $pages
do
  folder=$(dirname "$page")
  # links outside of code: ](target)
  awk '/^```/ { code = !code } !code' "$page" | sed 's/`[^`]*`//g' | grep -o '](\([^) ]*\))' | sed 's/^](//; s/)$//' >"$work/links"
  while read -r link
  do
    links=$((links + 1))
    case $link in http://* | https://*) continue ;; esac
    file=${link%%#*}
    target=$page
    test -z "$file" || target=$folder/$file
    test -e "$target" || echo "$page: link to '$link', which does not exist"
    case $link in
      *.md#* | \#*) anchors "$target" | grep -qx -- "${link#*#}" || echo "$page: link to '$link', which has no such heading" ;;
    esac
  done <"$work/links" >>"$work/wrong"
  # skips the changelog, which refers to old files; placeholders in capitals, stars and braces; and web/dist, made by web/build
  case $page in CHANGELOG.md | docs/changes-*) continue ;; esac
  grep -o '`[^` ]*`' "$page" | tr -d '`' |
    grep -E '^(\.\./)?(src|io|app|include|tests|tools|examples|cmake|papers|bench|fuzz|docs|robots|scenarios|parts|studies|python|web)/[A-Za-z0-9_./-]+$' |
    grep -vE '(NAME|FOLDER|CPU|FILE|ROBOT|DIR)|^web/dist/' | sed 's|^\.\./||' | sort -u >"$work/paths"
  while read -r path
  do
    test -e "$path" || test -e "$folder/$path" || echo "$page: names '$path', which does not exist"
  done <"$work/paths" >>"$work/wrong"
done
sources=$(find src include io app papers -name '*.[ch]')
grep -ohE '[A-Z][a-z]+((, [A-Z][a-z]+)* & [A-Z][a-z]+)? (18|19|20)[0-9][0-9]\b' $sources | sort -u |
  while read -r work_cited
  do
    grep -qF -- "$work_cited" docs/references.md || echo "docs/references.md: lacks '$work_cited', which the source cites"
  done >>"$work/wrong"
grep -ohE '(erratum|errata) [0-4]-[0-9]+((,| to) [0-4]-[0-9]+)*' $sources | grep -oE '[0-4]-[0-9]+' | sort -u |
  while read -r number
  do
    grep -q "^| $number |" docs/errata.md || echo "docs/errata.md: lacks $number, which the source cites"
  done >>"$work/wrong"
# every page is on the site, which tools/site makes
for page in docs/*.md
do
  grep -qx -- "${page%.md}" docs/site/index.md || echo "docs/site/index.md: lacks $page"
done >>"$work/wrong"
cat "$work/wrong"
test "$links" -gt 50 || { echo "only $links links were found"; exit 1; }
test ! -s "$work/wrong"
