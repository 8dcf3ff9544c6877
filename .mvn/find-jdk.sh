# Sourced. Sets JAVA_HOME to a Java 25 or newer that has bin/$1, or ends with one clear line. Starts no JVM.

java25() { # java25 DIR TOOL
  [ -x "$1/bin/$2" ] && [ -r "$1/release" ] || return 1
  major=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  [ "${major:-0}" -ge 25 ]
}

find_java25() { # find_java25 TOOL
  ! java25 "${JAVA_HOME:-/}" "$1" || return 0
  tool=$(command -v "$1" 2>/dev/null) || tool=
  if [ -n "$tool" ]; then
    tool=$(readlink -f "$tool")
    if java25 "${tool%/bin/*}" "$1"; then JAVA_HOME=${tool%/bin/*}; return 0; fi
  fi
  for dir in $(find /usr/lib/jvm -mindepth 1 -maxdepth 1 2>/dev/null | sort -r); do
    if java25 "$dir" "$1"; then JAVA_HOME=$dir; return 0; fi
  done
  echo "parex: no Java 25 or newer found (JAVA_HOME=${JAVA_HOME:-unset}, PATH, /usr/lib/jvm). Install a JDK 25 there, or set JAVA_HOME." >&2
  return 1
}
