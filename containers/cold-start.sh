#!/bin/sh
# usage: containers/cold-start.sh [--image IMAGE] [OPTION OF DOCKER RUN...]
#
#   --image IMAGE   Debian 13 as a new machine has it (default: debian:13)
#
# Goes from nothing to a finished demo by the commands of the README, in a container without any cache, as a user of its
# own and with all downloads. Prints the figures of docs/install.md to standard output, and all else to standard error.
# Needs a Docker engine. The sources are those of the last commit. The options of docker run are for networks that need
# them. Behind a proxy, apt and npm read the first two of these variables, and Maven and the demo the third:
#
#   --env http_proxy=http://proxy:3128 --env https_proxy=http://proxy:3128
#   --env JAVA_TOOL_OPTIONS='-Dhttp.proxyHost=proxy -Dhttp.proxyPort=3128 -Dhttps.proxyHost=proxy -Dhttps.proxyPort=3128
#       -Daether.connector.http.useSystemProperties=true'
set -eu
umask 022

home=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
image=debian:13

fail() { # SENTENCE STATUS
    printf 'containers/cold-start.sh: %s\n' "$1" >&2
    exit "$2"
}

case ${1:-} in
    --help | -h)
        sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
        exit
        ;;
    --image)
        [ $# -ge 2 ] || fail "--image needs an image" 2
        image=$2
        shift 2
        ;;
esac
docker info >/dev/null 2>&1 || fail "no Docker engine answers; start one, or set DOCKER_HOST" 1

container=''
work=$(mktemp -d)
finish() {
    [ -z "$container" ] || docker rm --force --volumes "$container" >/dev/null
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

git clone -q --bare --no-local --single-branch "$home" "$work/source.git"
# A machine has more shared memory than a container by default. Ends by itself after three hours.
container=$(docker run --detach --network host --shm-size 1g --volume "$work/source.git:/source.git:ro" "$@" "$image" sleep 10800)

as_root() { # COMMANDS
    docker exec --env DEBIAN_FRONTEND=noninteractive "$container" sh -euc "$1"
}

as_user() { # FOLDER COMMANDS
    docker exec --user lab --env HOME=/home/lab --workdir "$1" "$container" sh -euc "$2"
}

total=0
measure() { # STEP COMMAND...
    step=$1
    shift
    echo "$step" >&2
    from=$(date +%s)
    "$@" >&2 || fail "the step '$step' failed" 1
    seconds=$(($(date +%s) - from))
    total=$((total + seconds))
}

measure "packages" as_root 'apt-get update -qq; apt-get install -y -qq git maven npm openjdk-25-jdk-headless'
packages=$seconds
# Git refuses a repository of another user unless it is told otherwise.
as_root 'useradd --create-home lab; git config --system --add safe.directory /source.git' >&2
measure "clone" as_user /home/lab 'git clone -q /source.git equipoise'
clone=$seconds
# The demo would build as well; two steps give two times.
measure "build" as_user /home/lab/equipoise './equipoise build'
build=$seconds
measure "demo" as_user /home/lab/equipoise './equipoise demo'
demo=$seconds

# Prints the sizes of those of the folders that exist.
sizes() { # FOLDER OF THE USER...
    as_user /home/lab "du -sm $* 2>/dev/null || true" |
        awk '{printf "%s`~/%s` %d MB", (NR > 1 ? ", " : ""), $2, $1}'
}

written=$(docker container inspect --size --format '{{.SizeRw}}' "$container")
cat <<END_OF_TABLE
A complete installation took $((total / 60)) min $((total % 60)) s and $((written / 1000000)) MB on $(nproc) cores, without any cache ($(date -u +%Y-%m-%d), $image, own account):

| step | time | on disk |
| --- | --- | --- |
| Debian packages of the README | $packages s | |
| \`git clone\` from a disk | $clone s | $(sizes equipoise) with all that is built |
| \`./equipoise build\` with downloads | $build s | $(sizes .m2 .npm) |
| \`./equipoise demo\` | $demo s | $(sizes .local .javacpp .cache) |
END_OF_TABLE
