#!/bin/sh
# Builds the images of the service and of the agent from the current build, for the platform of this machine. Called by
# ./equipoise images.
set -eu

home=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
. "$home/containers/lay-out.sh"
. "$home/containers/origin.sh"
base=''
tag=$(version)

usage() {
    cat <<'END'
usage: ./equipoise images [--base IMAGE | --base-of-debian] [--tag TAG]

  --base IMAGE      base image with glibc, libstdc++ and a shell (default: debian:13-slim)
  --base-of-debian  make the base image here of Debian's packages and pull nothing
  --tag TAG         name the images equipoise-service:TAG and equipoise-agent:TAG (default: the version)
END
}

misused() { # SENTENCE
    printf 'equipoise images: %s\n' "$1" >&2
    usage >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
        --base) base=${2:?--base needs an image} && shift ;;
        --base-of-debian) base=equipoise-base:debian ;;
        --tag) tag=${2:?--tag needs a tag} && shift ;;
        --help | -h) usage && exit ;;
        *) misused "there is no option '$1'" ;;
    esac
    shift
done
docker info >/dev/null 2>&1 || {
    echo 'equipoise images: no Docker engine answers; start one, or set DOCKER_HOST' >&2
    exit 1
}

context=$home/target/images
[ "$base" != equipoise-base:debian ] || "$home/containers/base.sh" "$base" "$context/base"
lay_out_service "$context/service"
lay_out_agent "$context/agent"
mkdir -p "$context/agent/state"
for image in service agent; do
    mkdir -p "$context/$image/probe"
    "$JAVA_HOME/bin/javac" -d "$context/$image/probe" "$home/containers/Probe.java"
done
list_components "$context/web.json" app,worker-agent
print_sbom app "$context/service/service/lib" "$context/web.json" >"$context/service/sbom.json"
print_sbom worker-agent "$context/agent/agent/lib" >"$context/agent/sbom.json"

platform=$(platform_of "$context/agent/agent/lib")

set --
for label in $(origin_labels); do
    set -- "$@" --label "$label"
done

build() { # IMAGE DOCKERFILE CONTEXT OPTION...
    image=$1 dockerfile=$2 folder=$3
    shift 3
    docker build --quiet ${base:+--build-arg "BASE_IMAGE=$base"} --build-arg "VERSION=$(version)" \
        --build-arg "PLATFORM=$platform" "$@" --tag "$image:$tag" --file "$dockerfile" "$folder" >/dev/null
    printf '%s:%s %s MB, %s\n' "$image" "$tag" "$(($(docker image inspect -f '{{.Size}}' "$image:$tag") / 1000000))" "$platform"
}

build equipoise-service "$home/app/Dockerfile" "$context/service" "$@"
build equipoise-agent "$home/worker-agent/Dockerfile" "$context/agent" "$@"
