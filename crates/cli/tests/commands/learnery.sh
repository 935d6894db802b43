#!/bin/sh
# `learnery` in the files of this folder. Trycmd reads both streams as one and does not look for new files. So this
# script says what a command that fails wrote to standard output, and that it changed files. The last arguments may be
# `< FILE`.

contents() {
  find . -type d
  find . -type f -exec cksum {} +
}

input=/dev/null
previous=
for argument do
  shift
  if [ "$previous" = "<" ]; then
    input=$argument
  elif [ "$argument" != "<" ]; then
    set -- "$@" "$argument"
  fi
  previous=$argument
done

before=$(contents)
out=$("$LEARNERY" "$@" <"$input")
code=$?
if [ -n "$out" ]; then
  [ $code -eq 0 ] || echo "--- standard output:"
  printf '%s\n' "$out"
fi
[ $code -eq 0 ] || [ "$before" = "$(contents)" ] || echo "--- it changed files"
exit $code
