# Shared by the scripts beside it; sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# Reading one line takes Tesseract four times as long when it spreads over threads.
export OMP_THREAD_LIMIT=1

say() { printf '%s\n' "$*"; }
die() { printf '%s\n' "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null 2>&1; then sudo "$@"
  else die "Root is needed to run: $*. Run this script as root, or install sudo."
  fi
}

# is_installed NAME|NAME...: whether one of these Debian packages is.
is_installed() {
  local name
  for name in ${1//|/ }; do
    if dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep 'ok installed' >/dev/null; then return 0; fi
  done
  return 1
}

# name_here NAME|NAME...: the one that this release of Debian has. A name that others merely provide is none: it would be missing for ever.
name_here() {
  local name
  for name in ${1//|/ }; do
    if apt-cache show --no-all-versions "$name" 2>/dev/null | grep '^Package: ' >/dev/null; then printf '%s\n' "$name"; return 0; fi
  done
  printf '%s\n' "${1%%|*}"
}

# install_packages KIND...: installs those Debian packages of the kinds named (deploy/packages) that are missing.
install_packages() {
  local kind package names missing=()
  while read -r kind names; do
    case " $* " in
      *" $kind "*) is_installed "$names" || missing+=("$names") ;;
    esac
  done < <(grep -v '^#' "$root/deploy/packages")
  if [ "${#missing[@]}" -eq 0 ]; then return 0; fi
  command -v apt-get >/dev/null 2>&1 || die "These Debian packages are missing and there is no apt-get: ${missing[*]}"
  as_root apt-get update -qq
  for package in "${!missing[@]}"; do missing[package]=$(name_here "${missing[package]}"); done
  say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

need_swift() {
  # sudo drops the caller's PATH: look where toolchains usually are.
  local folder
  for folder in /opt/swift/usr/bin /usr/local/swift/usr/bin /usr/libexec/swift/bin \
    "${SUDO_USER:+$(getent passwd "${SUDO_USER:-root}" | cut -d: -f6)/.local/share/swiftly/bin}"; do
    if ! command -v swift >/dev/null 2>&1 && [ -n "$folder" ] && [ -x "$folder/swift" ]; then PATH="$folder:$PATH"; fi
  done
  command -v swift >/dev/null 2>&1 || die "The Swift toolchain is missing. Install Swift 6.3 or later (swift.org/install) \
and put it on the PATH, then run this again. It is the one thing that this script does not install."
}

# build_release [PRODUCT]: builds the appliance, or another product, with the Swift library inside, so that it runs where there
# is no toolchain. $program is the appliance's path.
program=.build/release/checkpost
build_release() {
  # The program says what it was built from (Package.swift).
  CHECKPOST_VERSION=$("$root/deploy/version") CHECKPOST_COMMIT=$("$root/deploy/version" --commit)
  export CHECKPOST_VERSION CHECKPOST_COMMIT
  say "Building the release $CHECKPOST_VERSION (the first time takes about ten minutes)"
  swift build -c release --static-swift-stdlib --product "${1:-checkpost}" --quiet
}

# install_program FROM TO: beside the running program first, then in its place: a program that runs can't be overwritten.
install_program() {
  install -m 0755 "$1" "$2.new"
  mv -f "$2.new" "$2"
}

# add_service_user NAME: a system user of that name with a home in /var/lib, unless there is one.
add_service_user() {
  if ! getent passwd "$1" >/dev/null; then
    useradd --system --home-dir "/var/lib/$1" --shell /usr/sbin/nologin --user-group "$1"
  fi
}

# start_service NAME: now and at every boot. Without systemd running (an image that is being built), enabling is a link.
start_service() {
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable "$1"
    systemctl restart "$1"
  else
    local folder=/etc/systemd/system
    [ -e "$folder/$1.service" ] || folder=/lib/systemd/system
    install -d /etc/systemd/system/multi-user.target.wants
    ln -sf "$folder/$1.service" "/etc/systemd/system/multi-user.target.wants/$1.service"
    say "$1 starts with the next boot."
  fi
}

# install_documents FOLDER: the documents, with the shapes of what is printed as JSON.
install_documents() {
  install -d -m 0755 "$1" "$1/schemas"
  install -m 0644 -t "$1" deploy/docs/*.*
  install -m 0644 -t "$1/schemas" deploy/docs/schemas/*
}

# answers PORT: whether a server on this machine answers /health well.
answers() {
  (exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3 &&
    timeout 5 grep -q '"ok"' <&3) 2>/dev/null
}
