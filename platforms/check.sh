#!/bin/sh
# usage: platforms/check.sh [PLATFORM...]
# Resolves all jars with native libraries of each platform (default: linux-x86_64 and linux-aarch64), and checks that
# their libraries are for its processor. It runs none of them. JAVA_HOME must name a JDK 25 or newer.
set -eu

home=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
case ${1:-} in
    -*)
        sed -n 's/^# //p' "$0" | head -n 3
        exit 2
        ;;
esac

# The phase runs the enforcer, which refuses an unknown platform.
resolve() { # OPTION FOLDER
    mvn -B -q -f "$home/platforms/pom.xml" "$1" validate dependency:copy-dependencies \
        -DincludeGroupIds=org.bytedeco,org.nd4j,io.zonky.test.postgres -DexcludeTransitive=true "-DoutputDirectory=$2"
}

[ $# -gt 0 ] || set -- linux-x86_64 linux-aarch64

for platform in "$@"; do
    jars=$home/target/platforms/$platform
    rm -rf "$jars"
    resolve "-Dequipoise.platform=$platform" "$jars"
    # A machine of the platform chooses the same jars, which are resolved by now.
    (MAVEN_OPTS="${MAVEN_OPTS:-} -Dos.arch=$(echo "${platform#linux-}" | sed 's/x86_64/amd64/')" && export MAVEN_OPTS &&
        resolve -o "$jars/by-machine")
    [ "$(cd "$jars" && echo ./*.jar)" = "$(cd "$jars/by-machine" && echo ./*.jar)" ] || {
        echo "platforms/check.sh: a machine of $platform chooses other jars than -Dequipoise.platform=$platform" >&2
        exit 1
    }
    echo "$platform:"
    "$JAVA_HOME/bin/java" "$home/platforms/NativeJars.java" "${platform#linux-}" "$jars"/*.jar
done
