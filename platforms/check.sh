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
[ $# -gt 0 ] || set -- linux-x86_64 linux-aarch64

for platform in "$@"; do
    jars=$home/target/platforms/$platform
    rm -rf "$jars"
    # The phase runs the enforcer, which refuses an unknown platform.
    mvn -B -q -f "$home/platforms/pom.xml" "-Dequipoise.platform=$platform" validate dependency:copy-dependencies \
        -DincludeGroupIds=org.bytedeco,org.nd4j,io.zonky.test.postgres -DexcludeTransitive=true "-DoutputDirectory=$jars"
    echo "$platform:"
    "$JAVA_HOME/bin/java" "$home/platforms/NativeJars.java" "${platform#linux-}" "$jars"/*.jar
done
